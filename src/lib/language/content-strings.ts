/** Words in the text of a page: what components, code blocks and drawings say by themselves. */
export interface ContentStrings {
  readonly note: string;
  readonly warning: string;
  readonly info: string;
  readonly tip: string;
  readonly check: string;
  readonly danger: string;
  /** Of a disclosure that has no title. */
  readonly details: string;
  /** The same for one that holds the fields of a field. */
  readonly attributes: string;
  /** `%` is the title. */
  readonly show: string;
  readonly hide: string;
  readonly required: string;
  readonly optional: string;
  readonly readOnly: string;
  readonly deprecatedField: string;
  readonly defaultValue: string;
  readonly linkTo: string;
  readonly linkToSection: string;
  /** `%` is its number. */
  readonly tab: string;
  readonly files: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly wrapLines: string;
  /** `%` is their number. */
  readonly allLines: string;
  readonly collapse: string;
  /** A block of code; `%` is the language. */
  readonly codeIn: string;
  /** The same without a language, and for the tabs of such blocks with a number behind it. */
  readonly code: string;
  readonly prompt: string;
  readonly promptText: string;
  /** `%` is the name of a program. */
  readonly openIn: string;
  readonly readMore: string;
  readonly diagram: string;
  readonly diagramSource: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly zoomReset: string;
  readonly fullScreen: string;
  readonly enlarge: string;
  readonly pictureMissing: string;
  readonly table: string;
  readonly footnotes: string;
  /** `%` is the number of the footnote. */
  readonly backToReference: string;
  readonly liveCode: string;
  readonly liveCodeSource: string;
  readonly unreadable: string;
  readonly pageActions: string;
  readonly copyPage: string;
  readonly copyPageHint: string;
  readonly viewMarkdown: string;
  readonly viewMarkdownHint: string;
  readonly askHint: string;
  /** To an assistant; `%` is the address of the page. */
  readonly askPrompt: string;
  readonly savePdf: string;
  readonly savePdfHint: string;
}

export const contentKeys = [
  "note",
  "warning",
  "info",
  "tip",
  "check",
  "danger",
  "details",
  "attributes",
  "show",
  "hide",
  "required",
  "optional",
  "readOnly",
  "deprecatedField",
  "defaultValue",
  "linkTo",
  "linkToSection",
  "tab",
  "files",
  "copy",
  "copied",
  "copyFailed",
  "wrapLines",
  "allLines",
  "collapse",
  "codeIn",
  "code",
  "prompt",
  "promptText",
  "openIn",
  "readMore",
  "diagram",
  "diagramSource",
  "zoomIn",
  "zoomOut",
  "zoomReset",
  "fullScreen",
  "enlarge",
  "pictureMissing",
  "table",
  "footnotes",
  "backToReference",
  "liveCode",
  "liveCodeSource",
  "unreadable",
  "pageActions",
  "copyPage",
  "copyPageHint",
  "viewMarkdown",
  "viewMarkdownHint",
  "askHint",
  "askPrompt",
  "savePdf",
  "savePdfHint",
] as const satisfies readonly (keyof ContentStrings)[];

// One row a language, in the order of the keys above.
export const contentRows: Readonly<Record<string, string>> = {
  en: "Note|Warning|Info|Tip|Check|Danger|Details|child attributes|Show %|Hide %|required|optional|read-only|deprecated|default:|Link to %|Link to this section: %|Tab %|Files|Copy|Copied|Copying is not possible here|Wrap lines|See all % lines|Collapse|% code|Code|Prompt|Text of the prompt|Open in %|Read more|Diagram|Diagram source|Zoom in|Zoom out|Original size|Full screen|Enlarge picture|Picture not available|Table %|Footnotes|Back to reference %|This part runs code and is not shown in this export.|Its code|This page could not be read|Page actions|Copy page|Copy this page as Markdown|View as Markdown|Read this page as plain text|Ask about this page|Read % so that I can ask questions about it.|Save as PDF|Print this page or keep it as PDF",
  de: "Hinweis|Warnung|Info|Tipp|Erledigt|Gefahr|Details|Unterattribute|% anzeigen|% ausblenden|erforderlich|optional|nur lesbar|veraltet|Vorgabe:|Link zu %|Link zu diesem Abschnitt: %|Tab %|Dateien|Kopieren|Kopiert|Kopieren ist hier nicht möglich|Zeilen umbrechen|Alle % Zeilen anzeigen|Einklappen|%-Code|Code|Prompt|Text des Prompts|In % öffnen|Mehr erfahren|Diagramm|Quelltext des Diagramms|Vergrößern|Verkleinern|Originalgröße|Vollbild|Bild vergrößern|Bild nicht verfügbar|Tabelle %|Fußnoten|Zurück zum Verweis %|Dieser Teil führt Code aus und wird in diesem Export nicht gezeigt.|Der Code dazu|Diese Seite konnte nicht gelesen werden|Aktionen für diese Seite|Seite kopieren|Diese Seite als Markdown kopieren|Als Markdown ansehen|Diese Seite als einfachen Text lesen|Fragen zu dieser Seite stellen|Lies %, damit ich Fragen dazu stellen kann.|Als PDF speichern|Diese Seite drucken oder als PDF sichern",
  fr: "Remarque|Avertissement|Info|Astuce|Validé|Danger|Détails|attributs enfants|Afficher %|Masquer %|requis|facultatif|lecture seule|obsolète|par défaut :|Lien vers %|Lien vers cette section : %|Onglet %|Fichiers|Copier|Copié|La copie n’est pas possible ici|Renvoyer les lignes à la ligne|Voir les % lignes|Réduire|Code %|Code|Prompt|Texte du prompt|Ouvrir dans %|En savoir plus|Diagramme|Source du diagramme|Agrandir|Réduire la taille|Taille d’origine|Plein écran|Agrandir l’image|Image non disponible|Tableau %|Notes de bas de page|Retour à la référence %|Cette partie exécute du code et n’est pas affichée dans cet export.|Son code|Cette page n’a pas pu être lue|Actions sur la page|Copier la page|Copier cette page en Markdown|Voir en Markdown|Lire cette page en texte brut|Poser des questions sur cette page|Lis % pour que je puisse poser des questions à ce sujet.|Enregistrer en PDF|Imprimer cette page ou la garder en PDF",
  es: "Nota|Advertencia|Información|Consejo|Comprobado|Peligro|Detalles|atributos secundarios|Mostrar %|Ocultar %|obligatorio|opcional|solo lectura|obsoleto|por defecto:|Enlace a %|Enlace a esta sección: %|Pestaña %|Archivos|Copiar|Copiado|Aquí no se puede copiar|Ajustar líneas|Ver las % líneas|Contraer|Código %|Código|Prompt|Texto del prompt|Abrir en %|Leer más|Diagrama|Fuente del diagrama|Acercar|Alejar|Tamaño original|Pantalla completa|Ampliar imagen|Imagen no disponible|Tabla %|Notas al pie|Volver a la referencia %|Esta parte ejecuta código y no se muestra en esta exportación.|Su código|No se pudo leer esta página|Acciones de la página|Copiar página|Copiar esta página como Markdown|Ver como Markdown|Leer esta página como texto sin formato|Preguntar sobre esta página|Lee % para que pueda hacer preguntas al respecto.|Guardar como PDF|Imprimir esta página o guardarla como PDF",
  pt: "Nota|Aviso|Informação|Dica|Verificado|Perigo|Detalhes|atributos filhos|Mostrar %|Ocultar %|obrigatório|opcional|somente leitura|obsoleto|padrão:|Link para %|Link para esta seção: %|Aba %|Arquivos|Copiar|Copiado|Não é possível copiar aqui|Quebrar linhas|Ver todas as % linhas|Recolher|Código %|Código|Prompt|Texto do prompt|Abrir em %|Leia mais|Diagrama|Fonte do diagrama|Ampliar|Reduzir|Tamanho original|Tela cheia|Ampliar imagem|Imagem não disponível|Tabela %|Notas de rodapé|Voltar à referência %|Esta parte executa código e não aparece nesta exportação.|O código dela|Não foi possível ler esta página|Ações da página|Copiar página|Copiar esta página como Markdown|Ver como Markdown|Ler esta página como texto simples|Perguntar sobre esta página|Leia % para que eu possa fazer perguntas a respeito.|Salvar como PDF|Imprimir esta página ou guardá-la como PDF",
  it: "Nota|Avviso|Info|Suggerimento|Verificato|Pericolo|Dettagli|attributi figli|Mostra %|Nascondi %|obbligatorio|facoltativo|sola lettura|deprecato|predefinito:|Link a %|Link a questa sezione: %|Scheda %|File|Copia|Copiato|Qui non è possibile copiare|A capo automatico|Mostra tutte le % righe|Comprimi|Codice %|Codice|Prompt|Testo del prompt|Apri in %|Scopri di più|Diagramma|Sorgente del diagramma|Ingrandisci|Riduci|Dimensione originale|Schermo intero|Ingrandisci immagine|Immagine non disponibile|Tabella %|Note a piè di pagina|Torna al riferimento %|Questa parte esegue codice e non è mostrata in questa esportazione.|Il suo codice|Impossibile leggere questa pagina|Azioni della pagina|Copia pagina|Copia questa pagina come Markdown|Vedi come Markdown|Leggi questa pagina come testo semplice|Fai domande su questa pagina|Leggi % così posso fare domande in merito.|Salva come PDF|Stampa questa pagina o conservala come PDF",
  nl: "Opmerking|Waarschuwing|Info|Tip|Gecontroleerd|Gevaar|Details|onderliggende attributen|% tonen|% verbergen|verplicht|optioneel|alleen-lezen|verouderd|standaard:|Link naar %|Link naar deze sectie: %|Tabblad %|Bestanden|Kopiëren|Gekopieerd|Kopiëren kan hier niet|Regels afbreken|Alle % regels tonen|Inklappen|%-code|Code|Prompt|Tekst van de prompt|Openen in %|Meer lezen|Diagram|Bron van het diagram|Inzoomen|Uitzoomen|Oorspronkelijke grootte|Volledig scherm|Afbeelding vergroten|Afbeelding niet beschikbaar|Tabel %|Voetnoten|Terug naar verwijzing %|Dit deel voert code uit en wordt in deze export niet getoond.|De code ervan|Deze pagina kon niet worden gelezen|Paginaacties|Pagina kopiëren|Deze pagina als Markdown kopiëren|Als Markdown bekijken|Deze pagina als platte tekst lezen|Vragen stellen over deze pagina|Lees % zodat ik er vragen over kan stellen.|Opslaan als pdf|Deze pagina afdrukken of als pdf bewaren",
  ru: "Примечание|Предупреждение|Информация|Совет|Готово|Опасно|Подробности|вложенные атрибуты|Показать: %|Скрыть: %|обязательно|необязательно|только чтение|устарело|по умолчанию:|Ссылка на %|Ссылка на этот раздел: %|Вкладка %|Файлы|Копировать|Скопировано|Здесь скопировать не удалось|Переносить строки|Показать все строки: %|Свернуть|Код: %|Код|Промпт|Текст промпта|Открыть в %|Подробнее|Диаграмма|Исходник диаграммы|Увеличить|Уменьшить|Исходный размер|На весь экран|Увеличить изображение|Изображение недоступно|Таблица %|Сноски|Назад к ссылке %|Эта часть выполняет код и не показана в этом экспорте.|Её код|Не удалось прочитать эту страницу|Действия со страницей|Копировать страницу|Скопировать эту страницу как Markdown|Открыть как Markdown|Читать эту страницу простым текстом|Спросить об этой странице|Прочитай %, чтобы я мог задать вопросы об этом.|Сохранить как PDF|Напечатать эту страницу или сохранить её как PDF",
  zh: "注意|警告|信息|提示|完成|危险|详情|子属性|显示%|隐藏%|必填|可选|只读|已弃用|默认：|指向 % 的链接|本节链接：%|标签页 %|文件|复制|已复制|此处无法复制|自动换行|查看全部 % 行|收起|% 代码|代码|提示词|提示词内容|在 % 中打开|了解更多|图表|图表源代码|放大|缩小|原始大小|全屏|放大图片|图片不可用|表格 %|脚注|返回引用 %|此部分需要运行代码，未包含在此导出中。|相关代码|无法读取此页面|页面操作|复制页面|以 Markdown 复制此页面|以 Markdown 查看|以纯文本阅读此页面|询问有关此页面的问题|请阅读 %，以便我就其内容提问。|另存为 PDF|打印此页面或保存为 PDF",
  "zh-Hant":
    "注意|警告|資訊|提示|完成|危險|詳細資訊|子屬性|顯示%|隱藏%|必填|選填|唯讀|已棄用|預設：|前往 % 的連結|本節連結：%|分頁 %|檔案|複製|已複製|此處無法複製|自動換行|檢視全部 % 行|收合|% 程式碼|程式碼|提示詞|提示詞內容|在 % 中開啟|深入了解|圖表|圖表原始碼|放大|縮小|原始大小|全螢幕|放大圖片|圖片無法顯示|表格 %|註腳|返回參照 %|此部分需要執行程式碼，未包含在此匯出中。|相關程式碼|無法讀取此頁面|頁面操作|複製頁面|以 Markdown 複製此頁面|以 Markdown 檢視|以純文字閱讀此頁面|詢問有關此頁面的問題|請閱讀 %，以便我就其內容提問。|另存為 PDF|列印此頁面或儲存為 PDF",
  ja: "注意|警告|情報|ヒント|完了|危険|詳細|子属性|%を表示|%を隠す|必須|任意|読み取り専用|非推奨|既定値:|%へのリンク|このセクションへのリンク: %|タブ %|ファイル|コピー|コピーしました|ここではコピーできません|行を折り返す|全 % 行を表示|折りたたむ|% のコード|コード|プロンプト|プロンプトの本文|% で開く|詳しく見る|図|図のソース|拡大|縮小|元の大きさ|全画面|画像を拡大|画像を表示できません|表 %|脚注|参照 % に戻る|この部分はコードを実行するため、このエクスポートには表示されません。|そのコード|このページを読み取れませんでした|ページの操作|ページをコピー|このページを Markdown としてコピー|Markdown で表示|このページをプレーンテキストで読む|このページについて質問する|% を読んで、内容について質問できるようにしてください。|PDF として保存|このページを印刷または PDF として保存",
  ko: "참고|경고|정보|팁|확인|위험|세부 정보|하위 속성|% 보기|% 숨기기|필수|선택|읽기 전용|지원 중단|기본값:|% 링크|이 섹션 링크: %|탭 %|파일|복사|복사됨|여기서는 복사할 수 없습니다|줄 바꿈|전체 %줄 보기|접기|% 코드|코드|프롬프트|프롬프트 내용|%에서 열기|더 알아보기|다이어그램|다이어그램 소스|확대|축소|원래 크기|전체 화면|이미지 확대|이미지를 표시할 수 없음|표 %|각주|참조 %(으)로 돌아가기|이 부분은 코드를 실행하므로 이 내보내기에 표시되지 않습니다.|해당 코드|이 페이지를 읽을 수 없습니다|페이지 작업|페이지 복사|이 페이지를 Markdown으로 복사|Markdown으로 보기|이 페이지를 일반 텍스트로 읽기|이 페이지에 대해 질문하기|%을(를) 읽고 내용에 대해 질문할 수 있게 해 주세요.|PDF로 저장|이 페이지를 인쇄하거나 PDF로 저장",
  ar: "ملاحظة|تحذير|معلومة|نصيحة|تم|خطر|تفاصيل|السمات الفرعية|إظهار %|إخفاء %|مطلوب|اختياري|للقراءة فقط|مهمل|الافتراضي:|رابط إلى %|رابط إلى هذا القسم: %|علامة التبويب %|الملفات|نسخ|تم النسخ|لا يمكن النسخ هنا|التفاف الأسطر|عرض كل الأسطر (%)|طي|شيفرة %|شيفرة|مطالبة|نص المطالبة|فتح في %|اقرأ المزيد|مخطط|مصدر المخطط|تكبير|تصغير|الحجم الأصلي|ملء الشاشة|تكبير الصورة|الصورة غير متاحة|جدول %|الحواشي|العودة إلى المرجع %|هذا الجزء يشغّل شيفرة ولا يظهر في هذا التصدير.|شيفرته|تعذرت قراءة هذه الصفحة|إجراءات الصفحة|نسخ الصفحة|نسخ هذه الصفحة بصيغة Markdown|عرض بصيغة Markdown|قراءة هذه الصفحة كنص عادي|اسأل عن هذه الصفحة|اقرأ % لأتمكن من طرح أسئلة حول محتواه.|حفظ بصيغة PDF|طباعة هذه الصفحة أو حفظها بصيغة PDF",
  he: "הערה|אזהרה|מידע|טיפ|בוצע|סכנה|פרטים|מאפייני צאצא|הצגת %|הסתרת %|חובה|רשות|לקריאה בלבד|הוצא משימוש|ברירת מחדל:|קישור אל %|קישור לחלק זה: %|כרטיסייה %|קבצים|העתקה|הועתק|אי אפשר להעתיק כאן|גלישת שורות|הצגת כל השורות (%)|כיווץ|קוד %|קוד|הנחיה|תוכן ההנחיה|פתיחה ב־%|מידע נוסף|תרשים|מקור התרשים|הגדלה|הקטנה|גודל מקורי|מסך מלא|הגדלת תמונה|התמונה אינה זמינה|טבלה %|הערות שוליים|חזרה להפניה %|חלק זה מריץ קוד ואינו מוצג בייצוא זה.|הקוד שלו|אי אפשר היה לקרוא עמוד זה|פעולות לעמוד|העתקת העמוד|העתקת עמוד זה כ־Markdown|הצגה כ־Markdown|קריאת עמוד זה כטקסט פשוט|שאלות על עמוד זה|קרא את % כדי שאוכל לשאול עליו שאלות.|שמירה כ־PDF|הדפסת עמוד זה או שמירתו כ־PDF",
};
