"""Made-up prose in eight languages, from a seed: texts as lists of sentences, sentences as lists of words.

Every third sentence or so is one of `data/texts`; the others are random words of that language, so two texts of a
corpus share little. One sentence of each text is a decision, with places for a name, sums, a sign and a verdict.
"""
import dataclasses
import pathlib
import random
import re

TEXTS = pathlib.Path(__file__).resolve().parents[3] / "data/texts"
SIGNS = ("<", ">", "=", "+", "-")
SPACES = {"zh": "", "ja": "", "th": ""}


@dataclasses.dataclass(frozen=True)
class Language:
    """`decision` is a sentence of words; `{neg}` is empty or `negation`, `{verdict}` one of a pair of opposites."""

    folder: str
    decision: str
    negation: str
    verdicts: tuple
    names: str
    end: str = "."
    words: str = ""


LANGUAGES = {
    "en": Language(
        "eng", "On {day} May {name} heard that the request for {sum} crowns was {neg} {verdict} since x {sign} {limit} held", "not",
        ("granted", "refused"), "Anna Berta Clara Dora Edith Frida Greta Hilda"),
    "de": Language(
        "deu", "Am {day}. Mai erfuhr {name} , dass der Antrag auf {sum} Kronen {neg} {verdict} wurde , weil x {sign} {limit} galt", "nicht",
        ("bewilligt", "abgelehnt"), "Anna Berta Clara Dora Edith Frida Greta Hilda"),
    "fr": Language(
        "fra", "Le {day} mai {name} apprit que la demande de {sum} couronnes fut {neg} {verdict} parce que x {sign} {limit} valait", "non",
        ("accordée", "refusée"), "Anne Berthe Claire Denise Edith Fanny Gisèle Hélène"),
    "es": Language(
        "spa", "El {day} de mayo {name} supo que la solicitud de {sum} coronas {neg} fue {verdict} porque x {sign} {limit} valía", "no",
        ("concedida", "denegada"), "Ana Berta Clara Dora Elena Felisa Gloria Inés"),
    "ru": Language(
        "rus", "{day} мая {name} узнала , что заявление на {sum} крон {neg} было {verdict} , потому что x {sign} {limit} верно", "не",
        ("одобрено", "отклонено"), "Анна Берта Клара Дора Вера Галина Жанна Ольга"),
    "zh": Language(
        "cmn", "五月 {day} 日 ， {name} 得知 {sum} 元 的 申请 {neg} 获得 {verdict} ， 因为 x {sign} {limit} 成立", "未",
        ("批准", "驳回"), "王芳 李娜 张敏 刘静 陈丽 杨艳 赵霞 黄梅", "。",
        "学校 老师 学生 城市 道路 河流 山脉 森林 天气 春天 夏天 秋天 冬天 早晨 晚上 孩子 父母 朋友 医生 医院 商店 市场 水果 蔬菜 牛奶 面包 "
        "火车 飞机 汽车 轮船 音乐 电影 图书 报纸 历史 科学 经济 政府 工人 农民 喜欢 学习 工作 生活 研究 发现 建设 运输 使用 准备 帮助 参加 "
        "美丽 安静 重要 简单 复杂 温暖 寒冷 明亮 安全 便宜"),
    "ja": Language(
        "jpn", "五月 {day} 日 、 {name} は {sum} 円 の 申請 が {verdict} {neg} と 聞き 、 x {sign} {limit} を 確かめた", "ではない",
        ("適当", "不当"), "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村", "。",
        "学校 先生 学生 都市 道路 河川 山脈 森林 天気 春 夏 秋 冬 朝 夜 子供 両親 友人 医者 病院 市場 果物 野菜 牛乳 電車 飛行機 自動車 音楽 "
        "映画 図書館 新聞 歴史 科学 経済 政府 労働者 農民 研究 発見 建設 輸送 使用 準備 援助 参加 静か 重要 簡単 複雑 安全 は が を に で と も "
        "から まで ながら そして"),
    "th": Language(
        "tha", "วันที่ {day} พฤษภาคม {name} ทราบว่า คำขอ {sum} บาท {neg} ได้รับ การ {verdict} เพราะ x {sign} {limit} เป็นจริง", "ไม่",
        ("อนุมัติ", "ปฏิเสธ"), "สมชาย สมหญิง มานี มานะ ปิติ ชูใจ วีระ สมศรี", " ",
        "โรงเรียน ครู นักเรียน เมือง ถนน แม่น้ำ ภูเขา ป่า อากาศ ฤดูร้อน ฤดูหนาว เช้า เย็น เด็ก พ่อ แม่ เพื่อน แพทย์ โรงพยาบาล ร้านค้า ตลาด ผลไม้ "
        "ผัก นม ขนมปัง รถไฟ เครื่องบิน รถยนต์ เรือ ดนตรี ภาพยนตร์ หนังสือ ประวัติศาสตร์ วิทยาศาสตร์ เศรษฐกิจ รัฐบาล คนงาน ชาวนา ชอบ เรียน ทำงาน "
        "ค้นพบ ก่อสร้าง ขนส่ง ใช้ เตรียม ช่วยเหลือ สวยงาม เงียบ สำคัญ ง่าย อบอุ่น ปลอดภัย ราคาถูก"),
}  # fmt: skip


class Prose:
    """The source of texts in one language."""

    def __init__(self, code):
        self.code, self.language = code, LANGUAGES[code]
        self.space = SPACES.get(code, " ")
        written = "\n".join((TEXTS / self.language.folder / f"{name}.txt").read_text("utf-8") for name in ("tides", "bees"))
        if self.space:
            self.sentences = [found.rstrip(".").split() for found in re.split(r"(?<=\.)\s+", written) if len(found.split()) > 5]
            self.words = sorted({word.lower() for found in self.sentences for word in found if word.isalpha()})
        else:
            # A sentence of these scripts is one long word here; it counts as that, so texts get no shorter.
            self.sentences = []
            self.words = self.language.words.split()

    def sentence(self, random_):
        if self.sentences and random_.random() < 0.3:
            return list(random_.choice(self.sentences))
        made = [random_.choice(self.words) for _ in range(random_.randint(8, 17))]
        if random_.random() < 0.4:
            made[random_.randrange(2, len(made) - 2)] = str(random_.randint(2, 999))
        made[0] = made[0].capitalize()
        return made

    def fields(self, random_):
        return {
            "day": random_.randint(2, 30), "sum": random_.randint(20, 9000), "limit": random_.randint(2, 90), "neg": "",
            "name": random_.choice(self.language.names.split()), "sign": random_.choice(SIGNS),
            "verdict": random_.choice(self.language.verdicts),
        }  # fmt: skip

    def decision(self, fields):
        return self.language.decision.format(**fields).split()

    def body(self, random_, length):
        """Sentences of LENGTH words together, the decision not included, and the place of the decision."""
        wanted = length - len(self.decision(self.fields(random_)))
        sentences, count = [], 0
        while count < wanted:
            sentences.append(self.sentence(random_)[: max(4, wanted - count)])
            count += len(sentences[-1])
        return sentences, random_.randint(0, len(sentences))

    def text(self, sentences, end=True):
        """Paragraphs of four sentences."""
        end_sign = self.language.end
        if self.space:
            joined = [re.sub(r" ,", ",", " ".join(words)) + end_sign for words in sentences]
        else:
            joined = ["".join(words) + end_sign for words in sentences]
        paragraphs = [self.space.join(joined[at : at + 4]).rstrip(" ") for at in range(0, len(joined), 4)]
        text = "\n\n".join(paragraphs)
        return text if end else text.rstrip(end_sign)


def seeded(*parts):
    return random.Random(" ".join(map(str, parts)))
