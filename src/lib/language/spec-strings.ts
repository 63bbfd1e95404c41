/** What a page says by itself of the specification that it is made from. */
export interface SpecStrings {
  /** `%` is the address of the specification. */
  readonly specUnavailable: string;
  readonly downloadSpec: string;
  readonly downloadSpecHint: string;
}

export const specKeys = [
  "specUnavailable",
  "downloadSpec",
  "downloadSpecHint",
] as const satisfies readonly (keyof SpecStrings)[];

// One row a language, in the order of the keys above.
export const specRows: Readonly<Record<string, string>> = {
  en: "This page is made from the API description at %, which could not be fetched when the site was exported.|Download API description|The OpenAPI or AsyncAPI file behind this page",
  de: "Diese Seite entsteht aus der API-Beschreibung unter %, die beim Export der Website nicht abgerufen werden konnte.|API-Beschreibung herunterladen|Die OpenAPI- oder AsyncAPI-Datei zu dieser Seite",
  fr: "Cette page est créée à partir de la description d’API à l’adresse %, qui n’a pas pu être récupérée lors de l’export du site.|Télécharger la description d’API|Le fichier OpenAPI ou AsyncAPI de cette page",
  es: "Esta página se genera a partir de la descripción de la API en %, que no se pudo obtener al exportar el sitio.|Descargar la descripción de la API|El archivo OpenAPI o AsyncAPI de esta página",
  pt: "Esta página é gerada a partir da descrição da API em %, que não pôde ser obtida quando o site foi exportado.|Baixar a descrição da API|O arquivo OpenAPI ou AsyncAPI desta página",
  it: "Questa pagina è generata dalla descrizione dell’API all’indirizzo %, che non è stato possibile recuperare durante l’esportazione del sito.|Scarica la descrizione dell’API|Il file OpenAPI o AsyncAPI di questa pagina",
  nl: "Deze pagina wordt gemaakt van de API-beschrijving op %, die bij het exporteren van de site niet kon worden opgehaald.|API-beschrijving downloaden|Het OpenAPI- of AsyncAPI-bestand van deze pagina",
  ru: "Эта страница создаётся из описания API по адресу %, которое не удалось получить при экспорте сайта.|Скачать описание API|Файл OpenAPI или AsyncAPI этой страницы",
  zh: "本页由位于 % 的 API 描述生成，但导出网站时未能获取该描述。|下载 API 描述|本页所用的 OpenAPI 或 AsyncAPI 文件",
  "zh-Hant":
    "本頁由位於 % 的 API 描述產生，但匯出網站時未能取得該描述。|下載 API 描述|本頁所用的 OpenAPI 或 AsyncAPI 檔案",
  ja: "このページは % にある API 定義から作られますが、サイトのエクスポート時に取得できませんでした。|API 定義をダウンロード|このページの元になる OpenAPI または AsyncAPI ファイル",
  ko: "이 페이지는 %에 있는 API 명세로 만들어지지만, 사이트를 내보낼 때 명세를 가져오지 못했습니다.|API 명세 다운로드|이 페이지의 OpenAPI 또는 AsyncAPI 파일",
  ar: "تُنشأ هذه الصفحة من وصف واجهة البرمجة في %، وقد تعذّر جلبه عند تصدير الموقع.|تنزيل وصف واجهة البرمجة|ملف OpenAPI أو AsyncAPI الخاص بهذه الصفحة",
  he: "עמוד זה נוצר מתיאור ה־API שבכתובת %, שלא ניתן היה להביא בעת ייצוא האתר.|הורדת תיאור ה־API|קובץ OpenAPI או AsyncAPI של עמוד זה",
};
