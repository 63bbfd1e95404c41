/** What a page says by itself of its playground. */
export interface TryStrings {
  readonly tryIt: string;
  readonly playgroundFailed: string;
}

export const tryKeys = ["tryIt", "playgroundFailed"] as const satisfies readonly (keyof TryStrings)[];

// One row a language, in the order of the keys above.
export const tryRows: Readonly<Record<string, string>> = {
  en: "Try it|The playground could not be loaded.",
  de: "Ausprobieren|Der Playground konnte nicht geladen werden.",
  fr: "Essayer|Le bac à sable n’a pas pu être chargé.",
  es: "Probar|No se pudo cargar el área de pruebas.",
  pt: "Testar|Não foi possível carregar a área de testes.",
  it: "Prova|Non è stato possibile caricare l’area di prova.",
  nl: "Uitproberen|De testomgeving kon niet worden geladen.",
  ru: "Попробовать|Не удалось загрузить песочницу.",
  zh: "试一试|无法加载调试面板。",
  "zh-Hant": "試試看|無法載入測試面板。",
  ja: "試す|プレイグラウンドを読み込めませんでした。",
  ko: "사용해 보기|플레이그라운드를 불러올 수 없습니다.",
  ar: "جرّبها|تعذر تحميل ساحة التجربة.",
  he: "לנסות|לא ניתן לטעון את אזור ההתנסות.",
};
