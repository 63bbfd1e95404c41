/** What a page says by itself where the specification that it would be made from is missing. */
export interface SpecStrings {
  /** `%` is the address of the specification. */
  readonly specUnavailable: string;
}

export const specKeys = ["specUnavailable"] as const satisfies readonly (keyof SpecStrings)[];

// One row a language, in the order of the keys above.
export const specRows: Readonly<Record<string, string>> = {
  en: "This page is made from the API description at %, which could not be fetched when the site was exported.",
  de: "Diese Seite entsteht aus der API-Beschreibung unter %, die beim Export der Website nicht abgerufen werden konnte.",
  fr: "Cette page est créée à partir de la description d’API à l’adresse %, qui n’a pas pu être récupérée lors de l’export du site.",
  es: "Esta página se genera a partir de la descripción de la API en %, que no se pudo obtener al exportar el sitio.",
  pt: "Esta página é gerada a partir da descrição da API em %, que não pôde ser obtida quando o site foi exportado.",
  it: "Questa pagina è generata dalla descrizione dell’API all’indirizzo %, che non è stato possibile recuperare durante l’esportazione del sito.",
  nl: "Deze pagina wordt gemaakt van de API-beschrijving op %, die bij het exporteren van de site niet kon worden opgehaald.",
  ru: "Эта страница создаётся из описания API по адресу %, которое не удалось получить при экспорте сайта.",
  zh: "本页由位于 % 的 API 描述生成，但导出网站时未能获取该描述。",
  "zh-Hant": "本頁由位於 % 的 API 描述產生，但匯出網站時未能取得該描述。",
  ja: "このページは % にある API 定義から作られますが、サイトのエクスポート時に取得できませんでした。",
  ko: "이 페이지는 %에 있는 API 명세로 만들어지지만, 사이트를 내보낼 때 명세를 가져오지 못했습니다.",
  ar: "تُنشأ هذه الصفحة من وصف واجهة البرمجة في %، وقد تعذّر جلبه عند تصدير الموقع.",
  he: "עמוד זה נוצר מתיאור ה־API שבכתובת %, שלא ניתן היה להביא בעת ייצוא האתר.",
};
