import { type ContentStrings, contentKeys, contentRows } from "./content-strings.js";
import { type ReferenceStrings, referenceKeys, referenceRows } from "./reference-strings.js";

/**
 * Every word that a page says by itself: those of the parts around it here, those of its text with `ContentStrings`, those
 * of the API reference with `ReferenceStrings`.
 */
export interface Strings extends ContentStrings, ReferenceStrings {
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
] as const satisfies readonly (keyof Strings)[];

// One row a language, in the order of the keys above.
const rows: Readonly<Record<string, string>> = {
  en: "Skip to content|On this page|Previous|Next|Menu|Close|Pages|Main|Breadcrumbs|Switch between light and dark|Language|Version|Product|Announcement|Dismiss|Filter by tag|View|Deprecated|Last modified|Page not found|This address leads to no page of this site. It may have moved.|Go to the start page|Footer|Earlier pages|Later pages",
  de: "Zum Inhalt springen|Auf dieser Seite|Zurück|Weiter|Menü|Schließen|Seiten|Hauptnavigation|Brotkrumen|Zwischen Hell und Dunkel wechseln|Sprache|Version|Produkt|Ankündigung|Ausblenden|Nach Tag filtern|Ansicht|Veraltet|Zuletzt geändert|Seite nicht gefunden|Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen.|Zur Startseite|Fußzeile|Frühere Seiten|Weitere Seiten",
  fr: "Aller au contenu|Sur cette page|Précédent|Suivant|Menu|Fermer|Pages|Navigation principale|Fil d’Ariane|Basculer entre clair et sombre|Langue|Version|Produit|Annonce|Masquer|Filtrer par étiquette|Vue|Obsolète|Dernière modification|Page introuvable|Cette adresse ne mène à aucune page du site. Elle a peut-être été déplacée.|Aller à l’accueil|Pied de page|Pages précédentes|Pages suivantes",
  es: "Saltar al contenido|En esta página|Anterior|Siguiente|Menú|Cerrar|Páginas|Navegación principal|Ruta|Cambiar entre claro y oscuro|Idioma|Versión|Producto|Anuncio|Descartar|Filtrar por etiqueta|Vista|Obsoleto|Última modificación|Página no encontrada|Esta dirección no lleva a ninguna página del sitio. Puede que se haya movido.|Ir al inicio|Pie de página|Páginas anteriores|Páginas siguientes",
  pt: "Ir para o conteúdo|Nesta página|Anterior|Próxima|Menu|Fechar|Páginas|Navegação principal|Trilha|Alternar entre claro e escuro|Idioma|Versão|Produto|Anúncio|Dispensar|Filtrar por etiqueta|Visão|Obsoleto|Última modificação|Página não encontrada|Este endereço não leva a nenhuma página do site. Ela pode ter mudado de lugar.|Ir para o início|Rodapé|Páginas anteriores|Próximas páginas",
  it: "Vai al contenuto|In questa pagina|Precedente|Successivo|Menu|Chiudi|Pagine|Navigazione principale|Percorso|Passa da chiaro a scuro|Lingua|Versione|Prodotto|Annuncio|Nascondi|Filtra per etichetta|Vista|Deprecato|Ultima modifica|Pagina non trovata|Questo indirizzo non porta a nessuna pagina del sito. Potrebbe essere stata spostata.|Vai alla pagina iniziale|Piè di pagina|Pagine precedenti|Pagine successive",
  nl: "Naar de inhoud|Op deze pagina|Vorige|Volgende|Menu|Sluiten|Pagina’s|Hoofdnavigatie|Kruimelpad|Wissel tussen licht en donker|Taal|Versie|Product|Aankondiging|Verbergen|Filter op label|Weergave|Verouderd|Laatst gewijzigd|Pagina niet gevonden|Dit adres leidt naar geen enkele pagina. Misschien is die verplaatst.|Naar de startpagina|Voettekst|Eerdere pagina’s|Latere pagina’s",
  ru: "Перейти к содержанию|На этой странице|Назад|Далее|Меню|Закрыть|Страницы|Основная навигация|Путь|Переключить светлую и тёмную тему|Язык|Версия|Продукт|Объявление|Скрыть|Фильтр по тегу|Вид|Устарело|Последнее изменение|Страница не найдена|По этому адресу нет страницы. Возможно, она перемещена.|На главную|Подвал|Предыдущие страницы|Следующие страницы",
  zh: "跳到正文|本页目录|上一页|下一页|菜单|关闭|页面|主导航|位置|切换浅色与深色|语言|版本|产品|公告|关闭公告|按标签筛选|视图|已弃用|最后修改|找不到页面|此地址没有对应的页面，可能已被移动。|返回首页|页脚|之前的页面|之后的页面",
  "zh-Hant":
    "跳到正文|本頁目錄|上一頁|下一頁|選單|關閉|頁面|主導覽|位置|切換淺色與深色|語言|版本|產品|公告|關閉公告|依標籤篩選|檢視|已棄用|最後修改|找不到頁面|此網址沒有對應的頁面，可能已被移動。|返回首頁|頁尾|之前的頁面|之後的頁面",
  ja: "本文へ移動|このページの内容|前へ|次へ|メニュー|閉じる|ページ|メインナビゲーション|パンくずリスト|ライトとダークを切り替え|言語|バージョン|製品|お知らせ|閉じる|タグで絞り込む|表示|非推奨|最終更新|ページが見つかりません|このアドレスのページはありません。移動した可能性があります。|トップページへ|フッター|前のページ群|次のページ群",
  ko: "본문으로 이동|이 페이지의 내용|이전|다음|메뉴|닫기|페이지|주요 탐색|탐색 경로|밝은 모드와 어두운 모드 전환|언어|버전|제품|공지|닫기|태그로 거르기|보기|지원 중단|마지막 수정|페이지를 찾을 수 없습니다|이 주소에는 페이지가 없습니다. 옮겨졌을 수 있습니다.|시작 페이지로|바닥글|이전 페이지들|다음 페이지들",
  ar: "انتقل إلى المحتوى|في هذه الصفحة|السابق|التالي|القائمة|إغلاق|الصفحات|التنقل الرئيسي|المسار|التبديل بين الفاتح والداكن|اللغة|الإصدار|المنتج|إعلان|إخفاء|تصفية حسب الوسم|العرض|مهمل|آخر تعديل|الصفحة غير موجودة|لا يقود هذا العنوان إلى أي صفحة في الموقع. ربما نُقلت.|إلى الصفحة الرئيسية|التذييل|صفحات سابقة|صفحات لاحقة",
  he: "דלג לתוכן|בעמוד זה|הקודם|הבא|תפריט|סגירה|עמודים|ניווט ראשי|נתיב|מעבר בין בהיר לכהה|שפה|גרסה|מוצר|הודעה|הסתרה|סינון לפי תגית|תצוגה|הוצא משימוש|שונה לאחרונה|העמוד לא נמצא|הכתובת אינה מובילה לעמוד באתר. ייתכן שהועבר.|לעמוד הבית|כותרת תחתונה|עמודים קודמים|עמודים הבאים",
};

/** The words in this language, else in its base language, else in English. */
export function stringsFor(languageTag: string): Strings {
  const words = [rows, contentRows, referenceRows].flatMap((table) => wordsOf(table, languageTag));
  const all = [...keys, ...contentKeys, ...referenceKeys];
  return Object.fromEntries(all.map((key, index) => [key, words[index]!])) as unknown as Strings;
}

function wordsOf(table: Readonly<Record<string, string>>, tag: string): readonly string[] {
  const known = [tag, tag.split("-")[0]!, "en"].find((each) => Object.hasOwn(table, each))!;
  return table[known]!.split("|");
}

/** The phrase with a value in its gap: `fill("Link to %", "the end")`. */
export const fill = (phrase: string, value: string | number): string => phrase.replace("%", () => String(value));
