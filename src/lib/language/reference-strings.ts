/** Words of the pages of the API reference. */
export interface ReferenceStrings {
  readonly authorizations: string;
  readonly headers: string;
  readonly pathParameters: string;
  readonly queryParameters: string;
  readonly cookies: string;
  readonly body: string;
  readonly response: string;
  readonly callbacks: string;
  readonly attributesTitle: string;
  readonly send: string;
  readonly receive: string;
  readonly payload: string;
  readonly bindings: string;
  /** What a click shows: these stand in `show`. */
  readonly servers: string;
  readonly options: string;
  readonly examples: string;
  readonly writeOnly: string;
  readonly availableOptions: string;
  readonly allowedValue: string;
  readonly range: string;
  readonly stringLength: string;
  readonly itemCount: string;
  readonly propertyCount: string;
  readonly multipleOf: string;
  readonly pattern: string;
  readonly uniqueItems: string;
  readonly oneRequired: string;
  readonly example: string;
  readonly sentAs: string;
  readonly scopes: string;
  readonly moreInformation: string;
  /** `%` is the name of a field. */
  readonly sameAttributes: string;
  readonly attributesOmitted: string;
  /** `%` is its number. */
  readonly option: string;
  readonly authBearer: string;
  readonly authBasic: string;
  readonly authKey: string;
  readonly authToken: string;
  readonly authCertificate: string;
  readonly authNone: string;
  readonly noBody: string;
}

export const referenceKeys = [
  "authorizations",
  "headers",
  "pathParameters",
  "queryParameters",
  "cookies",
  "body",
  "response",
  "callbacks",
  "attributesTitle",
  "send",
  "receive",
  "payload",
  "bindings",
  "servers",
  "options",
  "examples",
  "writeOnly",
  "availableOptions",
  "allowedValue",
  "range",
  "stringLength",
  "itemCount",
  "propertyCount",
  "multipleOf",
  "pattern",
  "uniqueItems",
  "oneRequired",
  "example",
  "sentAs",
  "scopes",
  "moreInformation",
  "sameAttributes",
  "attributesOmitted",
  "option",
  "authBearer",
  "authBasic",
  "authKey",
  "authToken",
  "authCertificate",
  "authNone",
  "noBody",
] as const satisfies readonly (keyof ReferenceStrings)[];

// One row a language, in the order of the keys above.
export const referenceRows: Readonly<Record<string, string>> = {
  en: "Authorizations|Headers|Path parameters|Query parameters|Cookies|Body|Response|Callbacks|Attributes|Send|Receive|Payload|Bindings|servers|options|examples|write-only|Available options|Allowed value|Required range|Required length|Required number of items|Required number of properties|Must be a multiple of|Must match|All items must differ|At least one of these is required|Example|Sent as|Scopes|More information|Has the same attributes as %|Further attributes are not shown on this page.|Option %|A header of the form `Bearer <token>`, where `<token>` is your access token.|A header of the form `Basic <credentials>`, where `<credentials>` is `username:password` encoded as Base64.|Your API key.|An access token that the authorization server gave you.|A client certificate (mutual TLS).|No authorization|This response has no body.",
  de: "Autorisierung|Header|Pfadparameter|Query-Parameter|Cookies|Body|Antwort|Callbacks|Attribute|Senden|Empfangen|Nutzdaten|Bindings|Server|Varianten|Beispiele|nur schreibbar|Mögliche Werte|Zulässiger Wert|Zulässiger Bereich|Zulässige Länge|Zulässige Anzahl von Einträgen|Zulässige Anzahl von Eigenschaften|Muss ein Vielfaches sein von|Muss passen auf|Alle Einträge müssen verschieden sein|Mindestens eines davon ist erforderlich|Beispiel|Gesendet als|Scopes|Mehr dazu|Hat dieselben Attribute wie %|Weitere Attribute werden auf dieser Seite nicht gezeigt.|Variante %|Ein Header der Form `Bearer <token>`, wobei `<token>` Ihr Zugriffstoken ist.|Ein Header der Form `Basic <credentials>`, wobei `<credentials>` der Text `username:password` in Base64 ist.|Ihr API-Schlüssel.|Ein Zugriffstoken, das der Autorisierungsserver ausgestellt hat.|Ein Clientzertifikat (mutual TLS).|Ohne Autorisierung|Diese Antwort hat keinen Body.",
  fr: "Autorisations|En-têtes|Paramètres de chemin|Paramètres de requête|Cookies|Corps|Réponse|Callbacks|Attributs|Envoyer|Recevoir|Contenu|Liaisons|serveurs|variantes|exemples|écriture seule|Valeurs possibles|Valeur autorisée|Plage requise|Longueur requise|Nombre d’éléments requis|Nombre de propriétés requis|Doit être un multiple de|Doit correspondre à|Tous les éléments doivent être différents|Au moins un de ces champs est requis|Exemple|Envoyé sous la forme|Scopes|En savoir plus|A les mêmes attributs que %|D’autres attributs ne sont pas affichés sur cette page.|Variante %|Un en-tête de la forme `Bearer <token>`, où `<token>` est votre jeton d’accès.|Un en-tête de la forme `Basic <credentials>`, où `<credentials>` est `username:password` encodé en Base64.|Votre clé d’API.|Un jeton d’accès délivré par le serveur d’autorisation.|Un certificat client (TLS mutuel).|Sans autorisation|Cette réponse n’a pas de corps.",
  es: "Autorizaciones|Encabezados|Parámetros de ruta|Parámetros de consulta|Cookies|Cuerpo|Respuesta|Callbacks|Atributos|Enviar|Recibir|Contenido|Enlaces de protocolo|servidores|variantes|ejemplos|solo escritura|Opciones disponibles|Valor permitido|Rango requerido|Longitud requerida|Número de elementos requerido|Número de propiedades requerido|Debe ser múltiplo de|Debe coincidir con|Todos los elementos deben ser distintos|Se requiere al menos uno de estos|Ejemplo|Se envía como|Scopes|Más información|Tiene los mismos atributos que %|Hay más atributos que no se muestran en esta página.|Variante %|Un encabezado con la forma `Bearer <token>`, donde `<token>` es su token de acceso.|Un encabezado con la forma `Basic <credentials>`, donde `<credentials>` es `username:password` codificado en Base64.|Su clave de API.|Un token de acceso emitido por el servidor de autorización.|Un certificado de cliente (TLS mutuo).|Sin autorización|Esta respuesta no tiene cuerpo.",
  pt: "Autorizações|Cabeçalhos|Parâmetros de caminho|Parâmetros de consulta|Cookies|Corpo|Resposta|Callbacks|Atributos|Enviar|Receber|Conteúdo|Vínculos de protocolo|servidores|variantes|exemplos|somente escrita|Opções disponíveis|Valor permitido|Intervalo exigido|Comprimento exigido|Número de itens exigido|Número de propriedades exigido|Deve ser múltiplo de|Deve corresponder a|Todos os itens devem ser diferentes|Pelo menos um destes é obrigatório|Exemplo|Enviado como|Scopes|Mais informações|Tem os mesmos atributos que %|Outros atributos não são mostrados nesta página.|Variante %|Um cabeçalho na forma `Bearer <token>`, em que `<token>` é o seu token de acesso.|Um cabeçalho na forma `Basic <credentials>`, em que `<credentials>` é `username:password` codificado em Base64.|Sua chave de API.|Um token de acesso emitido pelo servidor de autorização.|Um certificado de cliente (TLS mútuo).|Sem autorização|Esta resposta não tem corpo.",
  it: "Autorizzazioni|Intestazioni|Parametri di percorso|Parametri di query|Cookie|Corpo|Risposta|Callback|Attributi|Invia|Ricevi|Contenuto|Binding|server|varianti|esempi|sola scrittura|Valori possibili|Valore ammesso|Intervallo richiesto|Lunghezza richiesta|Numero di elementi richiesto|Numero di proprietà richiesto|Deve essere un multiplo di|Deve corrispondere a|Tutti gli elementi devono essere diversi|Almeno uno di questi è richiesto|Esempio|Inviato come|Scope|Maggiori informazioni|Ha gli stessi attributi di %|Altri attributi non sono mostrati in questa pagina.|Variante %|Un’intestazione nella forma `Bearer <token>`, dove `<token>` è il token di accesso.|Un’intestazione nella forma `Basic <credentials>`, dove `<credentials>` è `username:password` codificato in Base64.|La chiave API.|Un token di accesso rilasciato dal server di autorizzazione.|Un certificato client (mutual TLS).|Senza autorizzazione|Questa risposta non ha corpo.",
  nl: "Autorisatie|Headers|Padparameters|Queryparameters|Cookies|Body|Antwoord|Callbacks|Attributen|Versturen|Ontvangen|Inhoud|Bindings|servers|varianten|voorbeelden|alleen-schrijven|Mogelijke waarden|Toegestane waarde|Vereist bereik|Vereiste lengte|Vereist aantal items|Vereist aantal eigenschappen|Moet een veelvoud zijn van|Moet voldoen aan|Alle items moeten verschillen|Minstens één hiervan is verplicht|Voorbeeld|Verstuurd als|Scopes|Meer informatie|Heeft dezelfde attributen als %|Meer attributen worden op deze pagina niet getoond.|Variant %|Een header in de vorm `Bearer <token>`, waarbij `<token>` uw toegangstoken is.|Een header in de vorm `Basic <credentials>`, waarbij `<credentials>` `username:password` in Base64 is.|Uw API-sleutel.|Een toegangstoken dat de autorisatieserver heeft uitgegeven.|Een clientcertificaat (mutual TLS).|Zonder autorisatie|Dit antwoord heeft geen body.",
  ru: "Авторизация|Заголовки|Параметры пути|Параметры запроса|Cookie|Тело|Ответ|Обратные вызовы|Атрибуты|Отправка|Получение|Содержимое|Привязки|серверы|варианты|примеры|только запись|Возможные значения|Допустимое значение|Допустимый диапазон|Допустимая длина|Допустимое число элементов|Допустимое число свойств|Должно быть кратно|Должно соответствовать|Все элементы должны различаться|Требуется хотя бы одно из них|Пример|Передаётся как|Области доступа|Подробнее|Имеет те же атрибуты, что и %|Остальные атрибуты на этой странице не показаны.|Вариант %|Заголовок вида `Bearer <token>`, где `<token>` — ваш токен доступа.|Заголовок вида `Basic <credentials>`, где `<credentials>` — строка `username:password` в Base64.|Ваш ключ API.|Токен доступа, выданный сервером авторизации.|Клиентский сертификат (mutual TLS).|Без авторизации|У этого ответа нет тела.",
  zh: "授权|请求头|路径参数|查询参数|Cookie|请求体|响应|回调|属性|发送|接收|消息体|绑定|服务器|可选类型|示例|只写|可选值|允许的值|取值范围|长度要求|元素个数要求|属性个数要求|必须是其倍数|必须匹配|元素不得重复|以下至少需要一项|示例|发送格式|权限范围|更多信息|属性与 % 相同|其余属性未在此页显示。|类型 %|格式为 `Bearer <token>` 的请求头，其中 `<token>` 是您的访问令牌。|格式为 `Basic <credentials>` 的请求头，其中 `<credentials>` 是经 Base64 编码的 `username:password`。|您的 API 密钥。|由授权服务器签发的访问令牌。|客户端证书（双向 TLS）。|无需授权|此响应没有正文。",
  "zh-Hant":
    "授權|標頭|路徑參數|查詢參數|Cookie|請求本文|回應|回呼|屬性|傳送|接收|訊息內容|繫結|伺服器|可選類型|範例|唯寫|可用的值|允許的值|數值範圍|長度要求|項目數量要求|屬性數量要求|必須為其倍數|必須符合|項目不得重複|以下至少需要一項|範例|傳送格式|權限範圍|更多資訊|屬性與 % 相同|其餘屬性未在此頁顯示。|類型 %|格式為 `Bearer <token>` 的標頭，其中 `<token>` 是您的存取權杖。|格式為 `Basic <credentials>` 的標頭，其中 `<credentials>` 是以 Base64 編碼的 `username:password`。|您的 API 金鑰。|由授權伺服器核發的存取權杖。|用戶端憑證（雙向 TLS）。|無需授權|此回應沒有本文。",
  ja: "認証|ヘッダー|パスパラメーター|クエリパラメーター|Cookie|ボディ|レスポンス|コールバック|属性|送信|受信|ペイロード|バインディング|サーバー|選択肢|例|書き込み専用|指定できる値|許可される値|有効な範囲|有効な長さ|有効な要素数|有効なプロパティ数|次の倍数であること|次に一致すること|要素は重複できません|少なくとも 1 つが必須です|例|送信形式|スコープ|詳しい情報|% と同じ属性を持ちます|これ以外の属性はこのページに表示されません。|選択肢 %|`Bearer <token>` の形式のヘッダー。`<token>` はアクセストークンです。|`Basic <credentials>` の形式のヘッダー。`<credentials>` は `username:password` を Base64 で符号化したものです。|API キー。|認可サーバーが発行したアクセストークン。|クライアント証明書（相互 TLS）。|認証なし|このレスポンスにボディはありません。",
  ko: "인증|헤더|경로 매개변수|쿼리 매개변수|쿠키|본문|응답|콜백|속성|보내기|받기|페이로드|바인딩|서버|선택지|예시|쓰기 전용|사용할 수 있는 값|허용되는 값|허용 범위|허용 길이|허용 항목 수|허용 속성 수|다음의 배수여야 함|다음과 일치해야 함|항목은 서로 달라야 함|다음 중 하나 이상이 필요함|예|전송 형식|범위(scope)|자세한 정보|%와(과) 같은 속성을 가집니다|나머지 속성은 이 페이지에 표시되지 않습니다.|선택지 %|`Bearer <token>` 형식의 헤더이며, `<token>`은 액세스 토큰입니다.|`Basic <credentials>` 형식의 헤더이며, `<credentials>`는 `username:password`를 Base64로 인코딩한 값입니다.|API 키입니다.|인증 서버가 발급한 액세스 토큰입니다.|클라이언트 인증서(상호 TLS)입니다.|인증 없음|이 응답에는 본문이 없습니다.",
  ar: "التفويض|الترويسات|معاملات المسار|معاملات الاستعلام|ملفات تعريف الارتباط|المتن|الاستجابة|الاستدعاءات الراجعة|السمات|إرسال|استقبال|الحمولة|الروابط|الخوادم|الخيارات|الأمثلة|للكتابة فقط|القيم المتاحة|القيمة المسموح بها|النطاق المطلوب|الطول المطلوب|عدد العناصر المطلوب|عدد الخصائص المطلوب|يجب أن يكون من مضاعفات|يجب أن يطابق|يجب أن تختلف العناصر كلها|يلزم واحد منها على الأقل|مثال|يُرسل بالشكل|النطاقات|مزيد من المعلومات|له السمات نفسها مثل %|هناك سمات أخرى لا تظهر في هذه الصفحة.|الخيار %|ترويسة بالشكل `Bearer <token>` حيث `<token>` هو رمز الوصول.|ترويسة بالشكل `Basic <credentials>` حيث `<credentials>` هي `username:password` مرمّزة بصيغة Base64.|مفتاح API الخاص بك.|رمز وصول أصدره خادم التفويض.|شهادة عميل (TLS متبادل).|بلا تفويض|لا متن لهذه الاستجابة.",
  he: "הרשאות|כותרות|פרמטרים בנתיב|פרמטרים בשאילתה|קובצי Cookie|גוף|תגובה|קריאות חוזרות|מאפיינים|שליחה|קבלה|תוכן|קישורי פרוטוקול|שרתים|אפשרויות|דוגמאות|לכתיבה בלבד|ערכים אפשריים|ערך מותר|טווח נדרש|אורך נדרש|מספר פריטים נדרש|מספר מאפיינים נדרש|חייב להיות כפולה של|חייב להתאים אל|כל הפריטים חייבים להיות שונים|נדרש לפחות אחד מאלה|דוגמה|נשלח בתור|היקפים|מידע נוסף|בעל אותם מאפיינים כמו %|מאפיינים נוספים אינם מוצגים בעמוד זה.|אפשרות %|כותרת מהצורה `Bearer <token>`, כאשר `<token>` הוא אסימון הגישה שלך.|כותרת מהצורה `Basic <credentials>`, כאשר `<credentials>` הוא `username:password` בקידוד Base64.|מפתח ה־API שלך.|אסימון גישה שהנפיק שרת ההרשאות.|אישור לקוח (TLS הדדי).|ללא הרשאה|לתגובה זו אין גוף.",
};
