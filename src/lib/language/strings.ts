import { type ContentStrings, contentKeys, contentRows } from "./content-strings.js";
import { type ReferenceStrings, referenceKeys, referenceRows } from "./reference-strings.js";
import { type SpecStrings, specKeys, specRows } from "./spec-strings.js";
import { type TryStrings, tryKeys, tryRows } from "./try-strings.js";

/** Every word that a page says by itself: those of the parts around it here, those of its text in the tables beside. */
export interface Messages extends ContentStrings, ReferenceStrings, SpecStrings, TryStrings {
  readonly skip: string;
  readonly onThisPage: string;
  readonly previous: string;
  readonly next: string;
  readonly menu: string;
  readonly close: string;
  readonly pages: string;
  readonly navigation: string;
  readonly breadcrumbs: string;
  readonly theme: string;
  readonly language: string;
  readonly version: string;
  readonly product: string;
  readonly announcement: string;
  readonly dismiss: string;
  readonly filters: string;
  readonly view: string;
  readonly deprecated: string;
  readonly lastModified: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly home: string;
  readonly footer: string;
  readonly earlier: string;
  readonly later: string;
  readonly search: string;
  /** `%` stands for what was searched for. */
  readonly noResults: string;
  /** `%` stands for their number. */
  readonly resultCount: string;
  readonly recentSearches: string;
  readonly clear: string;
  readonly searchFailed: string;
  /** What arrow keys, Enter and Escape are for. */
  readonly toMove: string;
  readonly toOpen: string;
  readonly toClose: string;
  readonly tryOther: string;
  readonly searchNeedsScript: string;
}

const keys = [
  "skip",
  "onThisPage",
  "previous",
  "next",
  "menu",
  "close",
  "pages",
  "navigation",
  "breadcrumbs",
  "theme",
  "language",
  "version",
  "product",
  "announcement",
  "dismiss",
  "filters",
  "view",
  "deprecated",
  "lastModified",
  "notFound",
  "notFoundText",
  "home",
  "footer",
  "earlier",
  "later",
  "search",
  "noResults",
  "resultCount",
  "recentSearches",
  "clear",
  "searchFailed",
  "toMove",
  "toOpen",
  "toClose",
  "tryOther",
  "searchNeedsScript",
] as const satisfies readonly (keyof Messages)[];

// One row a language, in the order of the keys above.
const rows: Readonly<Record<string, string>> = {
  en: "Skip to content|On this page|Previous|Next|Menu|Close|Pages|Main|Breadcrumbs|Switch between light and dark|Language|Version|Product|Announcement|Dismiss|Filter by tag|View|Deprecated|Last modified|Page not found|This address leads to no page of this site. It may have moved.|Go to the start page|Footer|Earlier pages|Later pages|Search|No results for “%”.|Results: %|Recent searches|Clear|The search could not be loaded.|move|open|close|Try fewer or other words.|Search needs JavaScript.",
  de: "Zum Inhalt springen|Auf dieser Seite|Zurück|Weiter|Menü|Schließen|Seiten|Hauptnavigation|Brotkrumen|Zwischen Hell und Dunkel wechseln|Sprache|Version|Produkt|Ankündigung|Ausblenden|Nach Tag filtern|Ansicht|Veraltet|Zuletzt geändert|Seite nicht gefunden|Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen.|Zur Startseite|Fußzeile|Frühere Seiten|Weitere Seiten|Suchen|Keine Treffer für „%“.|Treffer: %|Letzte Suchen|Löschen|Die Suche konnte nicht geladen werden.|bewegen|öffnen|schließen|Versuchen Sie weniger oder andere Wörter.|Die Suche braucht JavaScript.",
  fr: "Aller au contenu|Sur cette page|Précédent|Suivant|Menu|Fermer|Pages|Navigation principale|Fil d’Ariane|Basculer entre clair et sombre|Langue|Version|Produit|Annonce|Masquer|Filtrer par étiquette|Vue|Obsolète|Dernière modification|Page introuvable|Cette adresse ne mène à aucune page du site. Elle a peut-être été déplacée.|Aller à l’accueil|Pied de page|Pages précédentes|Pages suivantes|Rechercher|Aucun résultat pour « % ».|Résultats : %|Recherches récentes|Effacer|La recherche n’a pas pu être chargée.|parcourir|ouvrir|fermer|Essayez moins de mots, ou d’autres.|La recherche nécessite JavaScript.",
  es: "Saltar al contenido|En esta página|Anterior|Siguiente|Menú|Cerrar|Páginas|Navegación principal|Ruta|Cambiar entre claro y oscuro|Idioma|Versión|Producto|Anuncio|Descartar|Filtrar por etiqueta|Vista|Obsoleto|Última modificación|Página no encontrada|Esta dirección no lleva a ninguna página del sitio. Puede que se haya movido.|Ir al inicio|Pie de página|Páginas anteriores|Páginas siguientes|Buscar|No hay resultados para «%».|Resultados: %|Búsquedas recientes|Borrar|No se pudo cargar la búsqueda.|moverse|abrir|cerrar|Pruebe con menos palabras o con otras.|La búsqueda necesita JavaScript.",
  pt: "Ir para o conteúdo|Nesta página|Anterior|Próxima|Menu|Fechar|Páginas|Navegação principal|Trilha|Alternar entre claro e escuro|Idioma|Versão|Produto|Anúncio|Dispensar|Filtrar por etiqueta|Visão|Obsoleto|Última modificação|Página não encontrada|Este endereço não leva a nenhuma página do site. Ela pode ter mudado de lugar.|Ir para o início|Rodapé|Páginas anteriores|Próximas páginas|Pesquisar|Nenhum resultado para “%”.|Resultados: %|Pesquisas recentes|Limpar|Não foi possível carregar a pesquisa.|mover|abrir|fechar|Tente menos palavras ou outras.|A pesquisa precisa de JavaScript.",
  it: "Vai al contenuto|In questa pagina|Precedente|Successivo|Menu|Chiudi|Pagine|Navigazione principale|Percorso|Passa da chiaro a scuro|Lingua|Versione|Prodotto|Annuncio|Nascondi|Filtra per etichetta|Vista|Deprecato|Ultima modifica|Pagina non trovata|Questo indirizzo non porta a nessuna pagina del sito. Potrebbe essere stata spostata.|Vai alla pagina iniziale|Piè di pagina|Pagine precedenti|Pagine successive|Cerca|Nessun risultato per «%».|Risultati: %|Ricerche recenti|Cancella|Non è stato possibile caricare la ricerca.|spostarsi|aprire|chiudere|Prova con meno parole o con altre.|La ricerca richiede JavaScript.",
  nl: "Naar de inhoud|Op deze pagina|Vorige|Volgende|Menu|Sluiten|Pagina’s|Hoofdnavigatie|Kruimelpad|Wissel tussen licht en donker|Taal|Versie|Product|Aankondiging|Verbergen|Filter op label|Weergave|Verouderd|Laatst gewijzigd|Pagina niet gevonden|Dit adres leidt naar geen enkele pagina. Misschien is die verplaatst.|Naar de startpagina|Voettekst|Eerdere pagina’s|Latere pagina’s|Zoeken|Geen resultaten voor ‘%’.|Resultaten: %|Recente zoekopdrachten|Wissen|Het zoeken kon niet worden geladen.|bewegen|openen|sluiten|Probeer minder of andere woorden.|Zoeken vereist JavaScript.",
  ru: "Перейти к содержанию|На этой странице|Назад|Далее|Меню|Закрыть|Страницы|Основная навигация|Путь|Переключить светлую и тёмную тему|Язык|Версия|Продукт|Объявление|Скрыть|Фильтр по тегу|Вид|Устарело|Последнее изменение|Страница не найдена|По этому адресу нет страницы. Возможно, она перемещена.|На главную|Подвал|Предыдущие страницы|Следующие страницы|Поиск|По запросу «%» ничего не найдено.|Найдено: %|Недавние запросы|Очистить|Не удалось загрузить поиск.|выбрать|открыть|закрыть|Попробуйте меньше слов или другие слова.|Для поиска нужен JavaScript.",
  zh: "跳到正文|本页目录|上一页|下一页|菜单|关闭|页面|主导航|位置|切换浅色与深色|语言|版本|产品|公告|关闭公告|按标签筛选|视图|已弃用|最后修改|找不到页面|此地址没有对应的页面，可能已被移动。|返回首页|页脚|之前的页面|之后的页面|搜索|没有找到“%”的结果。|结果：%|最近搜索|清除|无法加载搜索。|移动|打开|关闭|请减少或更换关键词。|搜索需要 JavaScript。",
  "zh-Hant":
    "跳到正文|本頁目錄|上一頁|下一頁|選單|關閉|頁面|主導覽|位置|切換淺色與深色|語言|版本|產品|公告|關閉公告|依標籤篩選|檢視|已棄用|最後修改|找不到頁面|此網址沒有對應的頁面，可能已被移動。|返回首頁|頁尾|之前的頁面|之後的頁面|搜尋|找不到「%」的結果。|結果：%|最近搜尋|清除|無法載入搜尋。|移動|開啟|關閉|請減少或更換關鍵字。|搜尋需要 JavaScript。",
  ja: "本文へ移動|このページの内容|前へ|次へ|メニュー|閉じる|ページ|メインナビゲーション|パンくずリスト|ライトとダークを切り替え|言語|バージョン|製品|お知らせ|閉じる|タグで絞り込む|表示|非推奨|最終更新|ページが見つかりません|このアドレスのページはありません。移動した可能性があります。|トップページへ|フッター|前のページ群|次のページ群|検索|「%」に一致する結果はありません。|結果: %|最近の検索|消去|検索を読み込めませんでした。|移動|開く|閉じる|語を減らすか、別の語でお試しください。|検索には JavaScript が必要です。",
  ko: "본문으로 이동|이 페이지의 내용|이전|다음|메뉴|닫기|페이지|주요 탐색|탐색 경로|밝은 모드와 어두운 모드 전환|언어|버전|제품|공지|닫기|태그로 거르기|보기|지원 중단|마지막 수정|페이지를 찾을 수 없습니다|이 주소에는 페이지가 없습니다. 옮겨졌을 수 있습니다.|시작 페이지로|바닥글|이전 페이지들|다음 페이지들|검색|‘%’에 대한 결과가 없습니다.|결과: %|최근 검색|지우기|검색을 불러올 수 없습니다.|이동|열기|닫기|단어를 줄이거나 바꾸어 보세요.|검색에는 JavaScript가 필요합니다.",
  ar: "انتقل إلى المحتوى|في هذه الصفحة|السابق|التالي|القائمة|إغلاق|الصفحات|التنقل الرئيسي|المسار|التبديل بين الفاتح والداكن|اللغة|الإصدار|المنتج|إعلان|إخفاء|تصفية حسب الوسم|العرض|مهمل|آخر تعديل|الصفحة غير موجودة|لا يقود هذا العنوان إلى أي صفحة في الموقع. ربما نُقلت.|إلى الصفحة الرئيسية|التذييل|صفحات سابقة|صفحات لاحقة|بحث|لا نتائج لـ «%».|النتائج: %|عمليات البحث الأخيرة|مسح|تعذر تحميل البحث.|للتنقل|للفتح|للإغلاق|جرّب كلمات أقل أو كلمات أخرى.|يحتاج البحث إلى JavaScript.",
  he: "דלג לתוכן|בעמוד זה|הקודם|הבא|תפריט|סגירה|עמודים|ניווט ראשי|נתיב|מעבר בין בהיר לכהה|שפה|גרסה|מוצר|הודעה|הסתרה|סינון לפי תגית|תצוגה|הוצא משימוש|שונה לאחרונה|העמוד לא נמצא|הכתובת אינה מובילה לעמוד באתר. ייתכן שהועבר.|לעמוד הבית|כותרת תחתונה|עמודים קודמים|עמודים הבאים|חיפוש|אין תוצאות עבור „%”.|תוצאות: %|חיפושים אחרונים|ניקוי|לא ניתן לטעון את החיפוש.|מעבר|פתיחה|סגירה|נסו פחות מילים או מילים אחרות.|החיפוש דורש JavaScript.",
};

const known = new Map<string, Messages>();

/** The words in this language, else in its base language, else in English; the same object each time. */
export function messagesFor(languageTag: string): Messages {
  const strings = known.get(languageTag) ?? read(languageTag);
  known.set(languageTag, strings);
  return strings;
}

function read(languageTag: string): Messages {
  const words = [rows, contentRows, referenceRows, specRows, tryRows].flatMap((table) => wordsOf(table, languageTag));
  const all = [...keys, ...contentKeys, ...referenceKeys, ...specKeys, ...tryKeys];
  return Object.fromEntries(all.map((key, index) => [key, words[index]!])) as unknown as Messages;
}

function wordsOf(table: Readonly<Record<string, string>>, tag: string): readonly string[] {
  const known = [tag, tag.split("-")[0]!, "en"].find((each) => Object.hasOwn(table, each))!;
  return table[known]!.split("|");
}

/** The phrase with a value in its gap: `fill("Link to %", "the end")`. */
export const fill = (phrase: string, value: string | number): string => phrase.replace("%", () => String(value));
