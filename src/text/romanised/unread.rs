//! Hindi, Persian, Hebrew, Korean, Amharic and Tamil in Latin letters, which are told and not restored: their spellings
//! leave out too much.
//!
//! A text is reported as one of them if enough of its words are small words of that language, in the spellings that are
//! common or that programs write, or have its endings; some languages write what is a small word elsewhere as an ending.
//! Of 7,000 texts in thirty other languages none is reported as one.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::text::Language;

/// Minimum number of different words of a list, or words with an ending.
const DIFFERENT: usize = 10;

/// Minimum length in letters of a word that is judged by its ending.
const LONG: usize = 5;

/// The signs by which a language in Latin letters is recognised.
struct Signs {
    language: &'static str,
    /// Minimum share of words with a sign, as a fraction.
    least: (usize, usize),
    /// Small words, without accents.
    words: &'static str,
    /// Endings, which must be longer than a chance.
    endings: &'static [&'static str],
}

const SIGNS: [Signs; 6] = [
    Signs {
        language: "hin",
        least: (1, 4),
        words: "hai hain hein haim hem ho hoon hun hum ham ka kaa ki kii ke ko se mein mem men me par para aur aura ek eka \
            yah yaha yeh ye vah vaha woh wo is isa us usa iss uss in un nahi nahin nahim nahiin naheen kya jo to toh bhi \
            bhii hi hii tha thi thii the hota hoti hote hotaa hotii kar kara karne karna karte karta karake kiya gaya gayi \
            gayaa gaye raha rahi rahe unke unka unki iske iska iski isaka isake isaki apne apna apni apani apane liye lie \
            lye tak taka sath saath satha bahut bahuta jab jaba tab taba agar agara lekin lekina phir phira fir kuch kucha \
            sab saba har hara baad bada pahle pehle pahale jaise jaisa aise aisa tarah taraha wala wale wali vala vale \
            vali main tum aap mera meri tera unhe unhone usne usane kab kahan kyon kyun do din dina dono dvara dwara \
            sakta sakti sakte sakata sakati jata jati jate jaata jaati jaate jatii jaati diya deta dete deti lagta lagte \
            kaha kahate kahte rahta rahti rahte",
        endings: &[],
    },
    Signs {
        language: "pes",
        least: (1, 5),
        words: "va az be bah bh dar dr ke keh kh khh ra raa in een ayn an aan ast hast bood bud bwd budand boodand hastand ba \
            baa baraye barai bray ta taa ham hm har hr man to oo ou shoma ma ishan anha aanha mi my nemi nist nyst shod \
            shode shodeh shd shwd shvd mishavad mishavand mishe misheh myshwd myshvd kard karde kardeh krd mikonad mikonand \
            mikone mykhnd myknd darad dard darand dare yek yk digar dygr digari dygry agar agr amma ama ya niz nyz neez \
            hich hame hameh hmh bayad bayd pas baad bad pish pysh bala balaa zir zyr bedoon bedun khod khwd khvd khodash \
            chera che chi chon do dw ruz rooz roz hamin hamchenin bishtar bishtari kamtar besyar basyar besiyar mitavanad \
            mitavan mitavanand migirad mygyrd miayad myayd mishod budan shodan kardan bar br soo suye swy bein beyn myan \
            vaghti vaqti hengam zamani ham-chenin raft amad goft gofte gofteh migooyand miguyand bishtar tar",
        endings: &[],
    },
    Signs {
        language: "heb",
        least: (1, 7),
        words: "shel sl shl et at ha ve lo ze zeh zot zo hu hou hi hem hen ani anachnu anahnu ata atem ki gam kol kl yesh ein \
            ayn ayin ken aval rak od kmo kemo ele eleh asher ashr she le mi ma mah eich eych lama kan sham shm oto ota otam \
            lifnei lifney lpny aharei acharei aharey hry bein beyn byn tahat tachat meal yoter yvtr pahot pachot haya hayta \
            haytah hayu hyh hyth hyv yihye yihyeh tihye al el im km ad ekhad ehad achad ahd ahat achat shtei shney shnei \
            hayom hayam biglal ka'asher kaasher kshr kasher lakhen lachen lkn lkhn yachad yahad bah bo la lah lahem lhm \
            mehem mhm shelo shela shelah shelahem slhm slv slh shlh shlv hv hy hm vhm vh zh vzh avtv avth avtm at' ot",
        endings: &[],
    },
    Signs {
        language: "kor",
        least: (3, 10),
        words: "geurigo hajiman geuraeseo geureona uri na neo geu jeo igeo geugeo ttae su geot geosi geoseun geoseul ttaemune \
            ttaemunida han du se itda issda eopda eopsda itgo issgo itneun issneun hago handa hada doenda doeda doego \
            anida anida deo gajang maeu modu dasi tto i eun neun eul reul ui e ga wa gwa do hamkke sai jung ttaeneun",
        endings: &[
            "neun", "eun", "eul", "reul", "eseo", "ege", "euro", "nida", "handa", "nda", "hada", "assda", "eossda",
            "issda", "atda", "eotda", "itda", "doenda", "hago", "myeon", "jiman", "eoyo", "ayo", "boda", "kkaji",
            "buteo", "hamyeo", "myeo", "aneun", "haneun", "ui", "wa", "gwa",
        ],
    },
    Signs {
        language: "amh",
        least: (1, 6),
        words: "new newi naw nw nat nachew nacew ina inna ena enna enna wede wedä wada yih yihe yihi yihn yehe yetebale gin \
            gini gn dagmo degmo hulu hullu and ande anid andi silezih silezihi slezih selezih esu isu isuwa eswa esua irsu \
            inya anta anchi yale alle ale neber nebere nebber gize gizze bota kal sew sewoch newu aydelem ayidelemi wey \
            weyim weyimi weyis indih indihi endih endezih kezih bezih yezih lezih ilet qen ken kenu besam bet nachaw \
            huletti hulet huleti betam betami bezu bizu tinish liyu yemibal yemibalew yemimeta lay layi wusit wisit wist \
            wuste gar gara behwala wedehuala befit befiti mikniyatum mikiniyatumi gena hono honom iyandandu kenya enante \
            inesu enesu endet indeti min mini man mani meche lemin",
        endings: &[
            "och", "ochi", "ochu", "ochun", "achew", "achewi", "achin", "alehu", "allehu", "aleh", "allu", "alu",
            "alachihu", "wochi", "woch", "awi", "itu", "wali", "wal", "tali", "tal", "nali", "nal",
        ],
    },
    Signs {
        language: "tam",
        least: (1, 6),
        words: "oru enna intha inda inta indha antha anda anta andha naan nan nee nangal avan aval avar avargal avarkal ithu \
            idhu itu athu adhu atu illai illa irukku irukkum irukkiratu irukkiradhu irukkirathu ulla ullatu ulladhu ullathu \
            endru enru enra endra enpatu enbathu enbadhu matrum marrum pola mattum aanal anal aakum aagum akum engu enge \
            eppadi eppoluthu ingu inge angu ange iru irandu mun pin mel kil keezh varai ena enrum ovvoru pala sila miga \
            mika athan adhan atan ithan idhan intru indru pinnar pinbu piragu munnar kaaranam karanam naal nal nalum thaan \
            than tan ellam ella ellaam enave aanaal vanthu vandhu vantu kondu kontu seythu seidhu ceytu poothu podhu potu",
        endings: &[
            "kiratu",
            "kiradhu",
            "kirathu",
            "kirarkal",
            "kindrana",
            "kinrana",
            "kirargal",
            "ullatu",
            "ukku",
            "ikku",
            "akku",
            "irku",
            "irkku",
            "ilirunthu",
            "iliruntu",
            "ilirundhu",
            "kalai",
            "galai",
            "kalil",
            "galil",
            "kalin",
            "galin",
            "kalum",
            "galum",
            "attil",
            "aththil",
            "attin",
            "aththin",
            "attai",
            "aththai",
            "patukiratu",
            "padugiradhu",
            "ttatu",
            "vatu",
            "vathu",
            "vadhu",
            "appatum",
            "andum",
            "inratu",
            "irrtu",
            "aaka",
            "aaga",
            "aana",
            "aiyum",
            "yaaka",
            "yaka",
        ],
    },
];

/// The language of a text in Latin letters by its words, in lower case and without accents, at least two letters each;
/// `None` if `others` as many or more, and half as many again, are small words of the language that it seems to have.
pub(super) fn unread(words: &[String], others: usize) -> Option<Language> {
    static LISTS: LazyLock<Vec<HashSet<&str>>> =
        LazyLock::new(|| SIGNS.iter().map(|signs| signs.words.split_whitespace().collect()).collect());
    let found = SIGNS.iter().zip(&*LISTS).filter_map(|(signs, list)| {
        let ends = |word: &str| word.len() >= LONG && signs.endings.iter().any(|ending| word.ends_with(ending));
        let own = words.iter().map(String::as_str).filter(|word| list.contains(word) || ends(word));
        let (count, different) = (own.clone().count(), own.collect::<HashSet<_>>().len());
        let is_it =
            count * signs.least.1 >= words.len() * signs.least.0 && different >= DIFFERENT && 2 * count >= 3 * others;
        is_it.then_some((count, signs.language))
    });
    found.max_by_key(|&(count, _)| count).and_then(|(_, code)| code.parse().ok())
}
