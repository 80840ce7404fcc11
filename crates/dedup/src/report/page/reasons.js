// The reasons for which files are not read, by their English names.
const REASONS = {
  'unreadable': ['unreadable', 'ilegible', 'nicht lesbar', 'illisible', 'не читается', '无法读取', 'غير مقروء'],
  'not a text': ['not a text', 'no es texto', 'kein Text', 'pas un texte', 'не текст', '不是文本', 'ليس نصًا'],
  'encrypted': ['encrypted', 'cifrado', 'verschlüsselt', 'chiffré', 'зашифровано', '已加密', 'مشفّر'],
  'no text in it': ['no text in it', 'sin texto', 'ohne Text', 'sans texte', 'нет текста', '没有文字', 'بلا نص'],
  'damaged document': ['damaged document', 'documento dañado', 'beschädigtes Dokument', 'document endommagé', 'документ повреждён', '文档损坏', 'وثيقة تالفة'],
  'unpacks to too much': ['unpacks to too much', 'se descomprime a demasiado', 'entpackt zu groß', 'trop volumineux une fois extrait', 'слишком велико после распаковки', '解压后过大', 'كبير جدًا بعد الفك'],
  'another format': ['another format', 'otro formato', 'anderes Format', 'autre format', 'другой формат', '其他格式', 'صيغة أخرى'],
  'name outside the archive': ['name outside the archive', 'nombre fuera del archivo comprimido', 'Name außerhalb des Archivs', 'nom hors de l’archive', 'имя вне архива', '名称指向压缩包之外', 'اسم خارج الأرشيف'],
  'link in an archive': ['link in an archive', 'enlace en un archivo comprimido', 'Verknüpfung in einem Archiv', 'lien dans une archive', 'ссылка в архиве', '压缩包内的链接', 'رابط داخل أرشيف'],
  'archive in an archive': ['archive in an archive', 'archivo comprimido dentro de otro', 'Archiv in einem Archiv', 'archive dans une archive', 'архив в архиве', '压缩包内的压缩包', 'أرشيف داخل أرشيف'],
  'sparse file in an archive': ['sparse file in an archive', 'fichero disperso en un archivo comprimido', 'Sparse-Datei in einem Archiv', 'fichier creux dans une archive', 'разреженный файл в архиве', '压缩包内的稀疏文件', 'ملف متناثر داخل أرشيف'],
  'empty folder': ['empty folder', 'carpeta vacía', 'leerer Ordner', 'dossier vide', 'пустая папка', '空文件夹', 'مجلد فارغ'],
  'too long': ['too long', 'demasiado largo', 'zu lang', 'trop long', 'слишком длинный', '过长', 'طويل جدًا'],
  'id met before': ['name met before', 'nombre repetido', 'Name schon vorhanden', 'nom déjà utilisé', 'имя уже встречалось', '名称重复', 'اسم مكرر'],
  'defect': ['defect of the program', 'defecto del programa', 'Programmfehler', 'défaut du programme', 'ошибка программы', '程序缺陷', 'خلل في البرنامج'],
};
