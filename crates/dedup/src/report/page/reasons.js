// The reasons for which files are not read, by their English names.
const REASONS = {
  'unreadable': ['unreadable', 'ilegible', 'nicht lesbar', 'illisible', 'не читается', '无法读取', 'غير مقروء'],
  'not a text': ['not a text', 'no es texto', 'kein Text', 'pas un texte', 'не текст', '不是文本', 'ليس نصًا'],
  'encrypted': ['encrypted', 'cifrado', 'verschlüsselt', 'chiffré', 'зашифровано', '已加密', 'مشفّر'],
  'no text in it': ['no text in it', 'sin texto', 'ohne Text', 'sans texte', 'нет текста', '没有文字', 'بلا نص'],
  'no text found': ['no text found', 'no se encontró texto', 'kein Text gefunden', 'aucun texte trouvé', 'текст не найден', '未找到文字', 'لم يُعثر على نص'],
  'damaged document': ['damaged document', 'documento dañado', 'beschädigtes Dokument', 'document endommagé', 'документ повреждён', '文档损坏', 'وثيقة تالفة'],
  'unpacks to too much': ['unpacks to too much', 'se descomprime a demasiado', 'entpackt zu groß', 'trop volumineux une fois extrait', 'слишком велико после распаковки', '解压后过大', 'كبير جدًا بعد الفك'],
  'another format': ['another format', 'otro formato', 'anderes Format', 'autre format', 'другой формат', '其他格式', 'صيغة أخرى'],
  'not converted': ['not converted', 'no convertido', 'nicht umgewandelt', 'non converti', 'не преобразовано', '未能转换', 'لم يُحوَّل'],
  'name outside the archive': ['name outside the archive', 'nombre fuera del archivo comprimido', 'Name außerhalb des Archivs', 'nom hors de l’archive', 'имя вне архива', '名称指向压缩包之外', 'اسم خارج الأرشيف'],
  'link in an archive': ['link in an archive', 'enlace en un archivo comprimido', 'Verknüpfung in einem Archiv', 'lien dans une archive', 'ссылка в архиве', '压缩包内的链接', 'رابط داخل أرشيف'],
  'archive in an archive': ['archive in an archive', 'archivo comprimido dentro de otro', 'Archiv in einem Archiv', 'archive dans une archive', 'архив в архиве', '压缩包内的压缩包', 'أرشيف داخل أرشيف'],
  'sparse file in an archive': ['sparse file in an archive', 'fichero disperso en un archivo comprimido', 'Sparse-Datei in einem Archiv', 'fichier creux dans une archive', 'разреженный файл в архиве', '压缩包内的稀疏文件', 'ملف متناثر داخل أرشيف'],
  'empty folder': ['empty folder', 'carpeta vacía', 'leerer Ordner', 'dossier vide', 'пустая папка', '空文件夹', 'مجلد فارغ'],
  'too long': ['too long', 'demasiado largo', 'zu lang', 'trop long', 'слишком длинный', '过长', 'طويل جدًا'],
  'id met before': ['name met before', 'nombre repetido', 'Name schon vorhanden', 'nom déjà utilisé', 'имя уже встречалось', '名称重复', 'اسم مكرر'],
  'defect': ['defect of the program', 'defecto del programa', 'Programmfehler', 'défaut du programme', 'ошибка программы', '程序缺陷', 'خلل في البرنامج'],
  'empty file': ['empty file', 'fichero vacío', 'leere Datei', 'fichier vide', 'пустой файл', '空文件', 'ملف فارغ'],
  'PDF': ['PDF', 'PDF', 'PDF', 'PDF', 'PDF', 'PDF', 'PDF'],
  'not a regular file': ['not a regular file', 'no es un fichero normal', 'keine gewöhnliche Datei', 'pas un fichier ordinaire', 'не обычный файл', '不是普通文件', 'ليس ملفًا عاديًا'],
  'compared in part': ['compared in part', 'comparado en parte', 'teilweise verglichen', 'comparé en partie', 'сравнено частично', '仅部分比较', 'قورن جزئيًا'],
  'in Latin letters': ['in Latin letters', 'en letras latinas', 'in lateinischer Schrift', 'en lettres latines', 'латиницей', '以拉丁字母书写', 'بأحرف لاتينية'],
  'too little memory': ['too little memory', 'memoria insuficiente', 'zu wenig Speicher', 'mémoire insuffisante', 'не хватает памяти', '内存不足', 'الذاكرة غير كافية'],
  'malformed JSON': ['malformed JSON', 'JSON mal formado', 'fehlerhaftes JSON', 'JSON mal formé', 'неверный JSON', 'JSON 格式错误', 'JSON غير سليم'],
  'not a JSON object': ['not a JSON object', 'no es un objeto JSON', 'kein JSON-Objekt', 'pas un objet JSON', 'не объект JSON', '不是 JSON 对象', 'ليس كائن JSON'],
  'missing field': ['missing field', 'falta un campo', 'fehlendes Feld', 'champ manquant', 'нет поля', '缺少字段', 'حقل ناقص'],
  'repeated column': ['repeated column', 'columna repetida', 'doppelte Spalte', 'colonne en double', 'повторяющийся столбец', '重复的列', 'عمود مكرر'],
  'field of a wrong type': ['field of a wrong type', 'campo de tipo incorrecto', 'Feld von falschem Typ', 'champ d’un type incorrect', 'поле неверного типа', '字段类型错误', 'حقل من نوع خاطئ'],
  'no id': ['no id', 'sin identificador', 'ohne Kennung', 'sans identifiant', 'нет идентификатора', '缺少标识', 'بلا معرّف'],
  'encoding of records': ['encoding of records', 'codificación de los registros', 'Kodierung der Datensätze', 'encodage des enregistrements', 'кодировка записей', '记录编码', 'ترميز السجلات'],
  'malformed CSV': ['malformed CSV', 'CSV mal formado', 'fehlerhaftes CSV', 'CSV mal formé', 'неверный CSV', 'CSV 格式错误', 'CSV غير سليم'],
  'malformed Parquet': ['malformed Parquet', 'Parquet mal formado', 'fehlerhaftes Parquet', 'Parquet mal formé', 'неверный Parquet', 'Parquet 格式错误', 'Parquet غير سليم'],
};

// What to do about it.
const REMEDIES = {
  'unreadable': ['check the name, the folder and the permissions', 'compruebe el nombre, la carpeta y los permisos', 'prüfen Sie Name, Ordner und Rechte', 'vérifiez le nom, le dossier et les droits', 'проверьте имя, папку и права доступа', '请检查名称、文件夹和权限', 'تحقق من الاسم والمجلد والأذونات'],
  'not a text': ['save it as text, PDF or DOCX', 'guárdelo como texto, PDF o DOCX', 'als Text, PDF oder DOCX speichern', 'enregistrez-le en texte, PDF ou DOCX', 'сохраните как текст, PDF или DOCX', '请另存为文本、PDF 或 DOCX', 'احفظه نصًا أو PDF أو DOCX'],
  'encrypted': ['save it without a password', 'guárdelo sin contraseña', 'ohne Passwort speichern', 'enregistrez-le sans mot de passe', 'сохраните без пароля', '请去除密码后保存', 'احفظه بلا كلمة مرور'],
  'no text in it': ['recognise its text first (OCR)', 'quizá solo imágenes: reconozca antes el texto (OCR)', 'vielleicht nur Bilder: erst den Text erkennen lassen (OCR)', 'peut-être des images seules : reconnaissez d’abord le texte (OCR)', 'возможно, только изображения: сначала распознайте текст (OCR)', '可能只有图片：请先识别文字（OCR）', 'ربما صور فقط: تعرّف على نصه أولًا (OCR)'],
  'no text found': ['if it shows words, scan it more clearly', 'si muestra palabras, escanéelo con más nitidez', 'wenn Wörter darauf sind: deutlicher scannen', 's’il montre des mots, numérisez-le plus nettement', 'если на нём есть слова, отсканируйте чётче', '若含有文字，请更清晰地扫描', 'إن كانت فيه كلمات فامسحه ضوئيًا بوضوح أكبر'],
  'damaged document': ['copy it again, or save it anew with the program that made it', 'cópielo de nuevo o guárdelo otra vez con el programa que lo creó', 'erneut kopieren oder mit dem ursprünglichen Programm neu speichern', 'recopiez-le, ou réenregistrez-le avec le programme d’origine', 'скопируйте заново или сохраните ещё раз в исходной программе', '请重新复制，或用原程序重新保存', 'انسخه مجددًا أو احفظه من جديد بالبرنامج الذي أنشأه'],
  'another format': ['save it as DOCX, PDF or text', 'guárdelo como DOCX, PDF o texto', 'als DOCX, PDF oder Text speichern', 'enregistrez-le en DOCX, PDF ou texte', 'сохраните как DOCX, PDF или текст', '请另存为 DOCX、PDF 或文本', 'احفظه بصيغة DOCX أو PDF أو نصًا'],
  'not converted': ['save it as DOCX, PDF or text', 'guárdelo como DOCX, PDF o texto', 'als DOCX, PDF oder Text speichern', 'enregistrez-le en DOCX, PDF ou texte', 'сохраните как DOCX, PDF или текст', '请另存为 DOCX、PDF 或文本', 'احفظه بصيغة DOCX أو PDF أو نصًا'],
  'empty file': ['copy it again, or ask for it again', 'cópielo de nuevo o pídalo otra vez', 'erneut kopieren oder noch einmal anfordern', 'recopiez-le, ou redemandez-le', 'скопируйте заново или запросите ещё раз', '请重新复制，或重新索取', 'انسخه مجددًا أو اطلبه ثانية'],
  'archive in an archive': ['unpack it first', 'descomprímalo antes', 'erst entpacken', 'décompressez-la d’abord', 'сначала распакуйте', '请先解压', 'فك ضغطه أولًا'],
  'unpacks to too much': ['if you trust it, unpack it and take its text', 'si confía en él, descomprímalo y extraiga su texto', 'wenn Sie ihm vertrauen: entpacken und den Text entnehmen', 'si vous lui faites confiance, décompressez-le et extrayez son texte', 'если вы ему доверяете, распакуйте и извлеките текст', '如可信任，请解压并提取文本', 'إن كنت تثق به ففك ضغطه واستخرج نصه'],
  'too long': ['divide it', 'divídalo', 'teilen', 'divisez-le', 'разделите его', '请拆分', 'قسّمه'],
  'compared in part': ['nothing is known of the rest', 'nada se sabe del resto', 'über den Rest ist nichts bekannt', 'on ne sait rien du reste', 'об остальном ничего не известно', '其余部分情况未知', 'لا يُعرف شيء عن بقيته'],
  'too little memory': ['allow more memory, or compare fewer documents', 'permita más memoria o compare menos documentos', 'mehr Speicher erlauben oder weniger Dokumente vergleichen', 'autorisez plus de mémoire, ou comparez moins de documents', 'выделите больше памяти или сравните меньше документов', '请允许更多内存，或减少比较的文档', 'اسمح بذاكرة أكبر أو قارن وثائق أقل'],
  'id met before': ['give each its own name', 'dé a cada uno su nombre', 'jedem einen eigenen Namen geben', 'donnez à chacun son nom', 'дайте каждому своё имя', '请使用不同的名称', 'أعط كلًا منها اسمًا'],
};

// The kinds that whoever handed a file in can mend.
const THEIRS = ['not a text', 'encrypted', 'damaged document', 'another format'];

/**
 * Why a file was not read, and what to do about it. The details come in English, with a remedy for a terminal behind a semicolon;
 * in its place the page has one in the reader's language. `handedIn` is the key of a text for files that somebody can hand in again.
 */
function whyUnread({ kind, reason }, handedIn) {
  const at = CODES.indexOf(lang);
  const remedy = REMEDIES[kind]?.[at];
  const details = !remedy ? reason : lang === 'en' ? reason?.split('; ')[0] : '';
  const advised = remedy && (handedIn && THEIRS.includes(kind) ? t(handedIn, { remedy }) : remedy);
  return [h('b', {}, REASONS[kind][at]), details && [': ', h('bdi', { lang: 'en' }, details)], advised && `${details ? '; ' : ': '}${advised}`];
}
