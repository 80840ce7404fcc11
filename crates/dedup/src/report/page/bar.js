// The table of texts. Each row is a key with its text in every language of LANGUAGES. `{x}` stands for a value. Forms
// for numbers are separated by `|`, in the order of FORMS; `n` is the number that chooses.

const LANGUAGES = { en: 'English', es: 'Español', de: 'Deutsch', fr: 'Français', ru: 'Русский', zh: '中文', ar: 'العربية' };

const FORMS = {
  en: ['one', 'other'], es: ['one', 'other'], de: ['one', 'other'], fr: ['one', 'other'],
  ru: ['one', 'few', 'many'], zh: ['other'], ar: ['one', 'two', 'few', 'many', 'other'],
};

const TEXTS = {
  // Nouns with their numbers.
  n_words: ['{n} word|{n} words', '{n} palabra|{n} palabras', '{n} Wort|{n} Wörter', '{n} mot|{n} mots',
    '{n} слово|{n} слова|{n} слов', '{n} 个词', 'كلمة واحدة|كلمتان|{n} كلمات|{n} كلمة|{n} كلمة'],
  n_passages: ['{n} passage|{n} passages', '{n} pasaje|{n} pasajes', '{n} Passage|{n} Passagen', '{n} passage|{n} passages',
    '{n} фрагмент|{n} фрагмента|{n} фрагментов', '{n} 个片段', 'مقطع واحد|مقطعان|{n} مقاطع|{n} مقطعًا|{n} مقطع'],
  n_pairs: ['{n} pair|{n} pairs', '{n} par|{n} pares', '{n} Paar|{n} Paare', '{n} paire|{n} paires',
    '{n} пара|{n} пары|{n} пар', '{n} 对', 'زوج واحد|زوجان|{n} أزواج|{n} زوجًا|{n} زوج'],
  n_documents: ['{n} document|{n} documents', '{n} documento|{n} documentos', '{n} Dokument|{n} Dokumente', '{n} document|{n} documents',
    '{n} документ|{n} документа|{n} документов', '{n} 份文档', 'وثيقة واحدة|وثيقتان|{n} وثائق|{n} وثيقة|{n} وثيقة'],
  n_clusters: ['{n} cluster|{n} clusters', '{n} grupo|{n} grupos', '{n} Gruppe|{n} Gruppen', '{n} groupe|{n} groupes',
    '{n} группа|{n} группы|{n} групп', '{n} 个群组', 'مجموعة واحدة|مجموعتان|{n} مجموعات|{n} مجموعة|{n} مجموعة'],
  n_characters: ['{n} character|{n} characters', '{n} carácter|{n} caracteres', '{n} Zeichen|{n} Zeichen', '{n} caractère|{n} caractères',
    '{n} знак|{n} знака|{n} знаков', '{n} 个字符', 'حرف واحد|حرفان|{n} أحرف|{n} حرفًا|{n} حرف'],
  n_bytes: ['{n} byte|{n} bytes', '{n} byte|{n} bytes', '{n} Byte|{n} Bytes', '{n} octet|{n} octets',
    '{n} байт|{n} байта|{n} байт', '{n} 字节', 'بايت واحد|بايتان|{n} بايتات|{n} بايتًا|{n} بايت'],
  words_of: ['{a} of {n} word|{a} of {n} words', '{a} de {n} palabra|{a} de {n} palabras', '{a} von {n} Wort|{a} von {n} Wörtern',
    '{a} mot sur {n}|{a} mots sur {n}', '{a} из {n} слова|{a} из {n} слов|{a} из {n} слов', '{a} / {n} 个词',
    '{a} من كلمة واحدة|{a} من كلمتين|{a} من {n} كلمات|{a} من {n} كلمة|{a} من {n} كلمة'],

  // The bar and the foot of the page.
  overview: ['Overview', 'Resumen', 'Übersicht', 'Vue d’ensemble', 'Обзор', '总览', 'نظرة عامة'],
  filters: ['Filters', 'Filtros', 'Filter', 'Filtres', 'Фильтры', '筛选', 'عوامل التصفية'],
  min: ['Passages of at least {input} words', 'Pasajes de al menos {input} palabras', 'Passagen ab {input} Wörtern',
    'Passages d’au moins {input} mots', 'Фрагменты от {input} слов', '片段至少 {input} 个词', 'مقاطع لا تقل عن {input} كلمة'],
  min_hint: ['A short text that occurs as a whole in another counts whatever its length.',
    'Un texto breve que aparece entero en otro cuenta sea cual sea su longitud.',
    'Ein kurzer Text, der ganz in einem anderen steht, zählt unabhängig von seiner Länge.',
    'Un texte court qui figure en entier dans un autre compte quelle que soit sa longueur.',
    'Короткий текст, целиком входящий в другой, учитывается при любой длине.',
    '完整出现在另一文本中的短文本，无论长短都计入。',
    'النص القصير الوارد كاملًا في نص آخر يُحتسب مهما كان طوله.'],
  no_quotations: ['leave out quotations', 'sin citas', 'ohne Zitate', 'sans citations', 'без цитат', '不计引文', 'دون الاقتباسات'],
  no_bibliography: ['leave out bibliographies', 'sin bibliografía', 'ohne Literaturverzeichnis', 'sans bibliographie',
    'без списков литературы', '不计参考文献', 'دون قوائم المراجع'],
  no_common: ['leave out text of many documents', 'sin texto de muchos documentos', 'ohne Text vieler Dokumente',
    'sans le texte commun à beaucoup', 'без текста, общего для многих', '不计多份文档共有的文字', 'دون نص تشترك فيه وثائق كثيرة'],
  fixed_filter: ['Left out when the documents were screened', 'Excluido ya al analizar los documentos',
    'Schon beim Vergleich ausgelassen', 'Déjà écarté lors de l’analyse', 'Исключено уже при проверке', '检测时已排除',
    'استُبعد عند فحص الوثائق'],
  as_screened: ['As screened', 'Como en el análisis', 'Wie verglichen', 'Comme analysé', 'Как при проверке', '恢复检测设置', 'كما فُحصت'],
  excluded_documents: ['Excluded documents', 'Documentos excluidos', 'Ausgeschlossene Dokumente', 'Documents exclus',
    'Исключённые документы', '已排除的文档', 'الوثائق المستبعدة'],
  without: ['without {name}', 'sin {name}', 'ohne {name}', 'sans {name}', 'без {name}', '排除 {name}', 'دون {name}'],
  theme: ['Theme', 'Tema', 'Farben', 'Thème', 'Тема', '主题', 'السمة'],
  theme_auto: ['system', 'del sistema', 'System', 'système', 'системная', '跟随系统', 'النظام'],
  theme_light: ['light', 'claro', 'hell', 'clair', 'светлая', '浅色', 'فاتحة'],
  theme_dark: ['dark', 'oscuro', 'dunkel', 'sombre', 'тёмная', '深色', 'داكنة'],
  language: ['Language', 'Idioma', 'Sprache', 'Langue', 'Язык', '语言', 'اللغة'],
  counted_now: ['Now counted: {passages}', 'Ahora se cuentan: {passages}', 'Jetzt gezählt: {passages}', 'Comptés maintenant : {passages}',
    'Сейчас учтено: {passages}', '当前计入：{passages}', 'المحتسب الآن: {passages}'],
  foot_share: [
    'A share is the number of words that also stand elsewhere, out of all words that are counted, rounded down to whole per cents: 100 % is every word. New words inside a passage are not in it, nor are passages marked as weak.',
    'La proporción es el número de palabras que también están en otro texto, respecto a todas las palabras contadas, redondeada hacia abajo: 100 % son todas. No incluye las palabras nuevas dentro de un pasaje ni los pasajes marcados como débiles.',
    'Der Anteil ist die Zahl der Wörter, die auch anderswo stehen, geteilt durch alle gezählten Wörter, abgerundet auf ganze Prozent: 100 % sind alle Wörter. Neue Wörter in einer Passage und als schwach markierte Passagen zählen nicht dazu.',
    'La part est le nombre de mots qui figurent aussi ailleurs, rapporté à tous les mots comptés et arrondi au pour cent inférieur : 100 % signifie tous les mots. Les mots nouveaux à l’intérieur d’un passage et les passages marqués comme faibles n’en font pas partie.',
    'Доля — это число слов, которые есть и в другом тексте, среди всех учтённых слов, округлённая вниз до целых процентов: 100 % — это все слова. Новые слова внутри фрагмента и фрагменты, помеченные как слабые, в неё не входят.',
    '占比是也见于其他文本的词数除以计入的全部词数，向下取整为百分数：100% 即所有词。片段中的新词和标为弱的片段不计在内。',
    'النسبة هي عدد الكلمات الواردة أيضًا في نص آخر من جميع الكلمات المحتسبة، مقرّبة إلى أدنى نسبة صحيحة: ‏100٪ تعني كل الكلمات. لا تدخل فيها الكلمات الجديدة داخل مقطع ولا المقاطع الموسومة بالضعف.'],
  foot_keys: [
    '{tab} moves on, {n} {p} go to the next and previous passage or row, {brackets} to the next and previous pair, {enter} opens, {esc} goes back.',
    '{tab} avanza, {n} {p} llevan al pasaje o fila siguiente y anterior, {brackets} al par siguiente y anterior, {enter} abre, {esc} vuelve atrás.',
    '{tab} geht weiter, {n} {p} zur nächsten und vorigen Passage oder Zeile, {brackets} zum nächsten und vorigen Paar, {enter} öffnet, {esc} geht zurück.',
    '{tab} avance, {n} {p} mènent au passage ou à la ligne suivante et précédente, {brackets} à la paire suivante et précédente, {enter} ouvre, {esc} revient.',
    '{tab} — дальше, {n} {p} — следующий и предыдущий фрагмент или строка, {brackets} — следующая и предыдущая пара, {enter} — открыть, {esc} — назад.',
    '{tab} 前移，{n} {p} 转到下一个、上一个片段或行，{brackets} 转到下一对、上一对，{enter} 打开，{esc} 返回。',
    '{tab} للتقدم، {n} {p} للمقطع أو الصف التالي والسابق، {brackets} للزوج التالي والسابق، {enter} للفتح، {esc} للرجوع.'],
};
