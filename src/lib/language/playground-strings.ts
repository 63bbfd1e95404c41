/** Words of the playground that pages have too. */
const sharedKeys = [
  "authNone",
  "authorizations",
  "body",
  "clear",
  "close",
  "cookies",
  "copy",
  "defaultValue",
  "deprecatedField",
  "headers",
  "itemCount",
  "multipleOf",
  "noBody",
  "pathParameters",
  "pattern",
  "propertyCount",
  "queryParameters",
  "range",
  "required",
  "response",
  "scopes",
  "send",
  "stringLength",
  "uniqueItems",
] as const;

/** Words of the playground alone: loaded with it. `%` is a value. */
export const ownKeys = [
  "addItem",
  "addProperty",
  "badJson",
  "baseUrl",
  "browserRefuses",
  "cancel",
  "cancelled",
  "certificateNote",
  "chooseFile",
  "connect",
  "connected",
  "connecting",
  "connectionClosed",
  "connectionFailed",
  "cookieNote",
  "copyCurl",
  "disconnect",
  "download",
  "endpoints",
  "faultCount",
  "fillIn",
  "forget",
  "forgotten",
  "form",
  "freeText",
  "getToken",
  "headerNote",
  "headersHidden",
  "kind",
  "message",
  "messages",
  "mixedContent",
  "noAnswer",
  "noCors",
  "notConnected",
  "notShown",
  "nothingToFill",
  "offline",
  "onlyFirst",
  "password",
  "policyForbids",
  "propertyName",
  "protocolNote",
  "received",
  "remember",
  "remove",
  "request",
  "sendAnyway",
  "sendFirst",
  "sending",
  "sent",
  "server",
  "showMore",
  "tooLate",
  "useExample",
  "username",
  "wrongFormat",
  "wrongType",
] as const;

// One row a language, in the order of the keys above.
export const playgroundRows: Readonly<Record<string, string>> = {
  en: "Add item|Add property|This is not valid JSON: %|Base URL|The browser cannot send this: %|Cancel|The request was cancelled.|The browser asks for the certificate itself when it connects.|Choose a file|Connect|Connected|Connecting…|The connection was closed (%).|No connection to % could be opened.|Browsers let no page set cookies for another host: this is only in the copied request.|Copy as cURL|Disconnect|Download|Endpoints|Fields to check: %|Fill this in.|Forget|Forgotten.|Form|Free text|Get a token at %|Browsers let no page set this header: it is only in the copied request.|Browsers show only the headers that the API exposes (Access-Control-Expose-Headers).|Kind|Message|Messages|This page came over https and the API would be called over http, which browsers refuse.|No answer|The browser got no answer from % that it may show. Most often the API does not allow pages of this site to call it (CORS); it may also be unreachable. The same request works from a terminal.|Not connected|This kind of content cannot be shown here.|There is nothing to fill in.|This device is offline.|Only the first % are shown.|Password|The Content-Security-Policy of this site does not allow requests to %. Whoever runs the site can allow it in connect-src.|Name|Browsers can send no headers with a WebSocket: the value goes as Sec-WebSocket-Protocol.|Received|Remember in this browser|Remove %|Request|Send anyway|Send the request to see the response here.|Sending…|Sent|Server|Show more|There was no answer within % seconds.|Use example|User name|This is not in the form: %|Must be of type: %",
  de: "Eintrag hinzufügen|Eigenschaft hinzufügen|Das ist kein gültiges JSON: %|Basis-URL|Der Browser kann das nicht senden: %|Abbrechen|Die Anfrage wurde abgebrochen.|Der Browser fragt beim Verbinden selbst nach dem Zertifikat.|Datei auswählen|Verbinden|Verbunden|Verbindet…|Die Verbindung wurde geschlossen (%).|Zu % konnte keine Verbindung geöffnet werden.|Browser lassen keine Seite Cookies für einen anderen Host setzen: Dies steht nur in der kopierten Anfrage.|Als cURL kopieren|Trennen|Herunterladen|Endpunkte|Zu prüfende Felder: %|Bitte ausfüllen.|Vergessen|Vergessen.|Formular|Freier Text|Ein Token gibt es unter %|Browser lassen keine Seite diesen Header setzen: Er steht nur in der kopierten Anfrage.|Browser zeigen nur die Header, die die API freigibt (Access-Control-Expose-Headers).|Art|Nachricht|Nachrichten|Diese Seite kam über https und die API würde über http aufgerufen; das lehnen Browser ab.|Keine Antwort|Der Browser bekam von % keine Antwort, die er zeigen darf. Meist erlaubt die API Seiten dieser Website nicht, sie aufzurufen (CORS); vielleicht ist sie auch nicht erreichbar. Dieselbe Anfrage funktioniert im Terminal.|Nicht verbunden|Diese Art von Inhalt kann hier nicht gezeigt werden.|Es gibt nichts auszufüllen.|Dieses Gerät ist offline.|Nur die ersten % werden gezeigt.|Passwort|Die Content-Security-Policy dieser Website erlaubt keine Anfragen an %. Wer die Website betreibt, kann das in connect-src erlauben.|Name|Browser können mit einem WebSocket keine Header senden: Der Wert geht als Sec-WebSocket-Protocol.|Empfangen|In diesem Browser merken|% entfernen|Anfrage|Trotzdem senden|Senden Sie die Anfrage, um hier die Antwort zu sehen.|Wird gesendet…|Gesendet|Server|Mehr zeigen|Innerhalb von % Sekunden kam keine Antwort.|Beispiel einsetzen|Benutzername|Das entspricht nicht der Form: %|Muss vom Typ sein: %",
  fr: "Ajouter un élément|Ajouter une propriété|Ce JSON n’est pas valide : %|URL de base|Le navigateur ne peut pas envoyer ceci : %|Annuler|La requête a été annulée.|Le navigateur demande lui-même le certificat à la connexion.|Choisir un fichier|Connecter|Connecté|Connexion…|La connexion a été fermée (%).|Aucune connexion à % n’a pu être ouverte.|Les navigateurs ne laissent aucune page définir des cookies pour un autre hôte : ceci ne figure que dans la requête copiée.|Copier en cURL|Déconnecter|Télécharger|Points d’accès|Champs à vérifier : %|À remplir.|Oublier|Oublié.|Formulaire|Texte libre|Obtenez un jeton sur %|Les navigateurs ne laissent aucune page définir cet en-tête : il ne figure que dans la requête copiée.|Les navigateurs n’affichent que les en-têtes exposés par l’API (Access-Control-Expose-Headers).|Genre|Message|Messages|Cette page est arrivée par https et l’API serait appelée par http, ce que les navigateurs refusent.|Pas de réponse|Le navigateur n’a reçu de % aucune réponse qu’il puisse afficher. Le plus souvent, l’API n’autorise pas les pages de ce site à l’appeler (CORS) ; elle peut aussi être injoignable. La même requête fonctionne depuis un terminal.|Non connecté|Ce type de contenu ne peut pas être affiché ici.|Il n’y a rien à remplir.|Cet appareil est hors ligne.|Seuls les premiers % sont affichés.|Mot de passe|La Content-Security-Policy de ce site n’autorise pas les requêtes vers %. L’exploitant du site peut les autoriser dans connect-src.|Nom|Les navigateurs ne peuvent pas envoyer d’en-têtes avec un WebSocket : la valeur part dans Sec-WebSocket-Protocol.|Reçu|Mémoriser dans ce navigateur|Retirer %|Requête|Envoyer quand même|Envoyez la requête pour voir la réponse ici.|Envoi…|Envoyé|Serveur|Afficher plus|Pas de réponse en % secondes.|Utiliser l’exemple|Nom d’utilisateur|Ce n’est pas de la forme : %|Doit être du type : %",
  es: "Añadir elemento|Añadir propiedad|Este JSON no es válido: %|URL base|El navegador no puede enviar esto: %|Cancelar|La solicitud se canceló.|El navegador pide el certificado al conectarse.|Elegir un archivo|Conectar|Conectado|Conectando…|La conexión se cerró (%).|No se pudo abrir una conexión con %.|Los navegadores no dejan que una página ponga cookies para otro host: esto solo está en la solicitud copiada.|Copiar como cURL|Desconectar|Descargar|Endpoints|Campos por revisar: %|Rellene este campo.|Olvidar|Olvidado.|Formulario|Texto libre|Obtenga un token en %|Los navegadores no dejan que una página ponga este encabezado: solo está en la solicitud copiada.|Los navegadores solo muestran los encabezados que la API expone (Access-Control-Expose-Headers).|Clase|Mensaje|Mensajes|Esta página llegó por https y la API se llamaría por http, algo que los navegadores rechazan.|Sin respuesta|El navegador no recibió de % ninguna respuesta que pueda mostrar. Lo más habitual es que la API no permita que las páginas de este sitio la llamen (CORS); también puede ser inaccesible. La misma solicitud funciona desde una terminal.|Sin conexión|Este tipo de contenido no se puede mostrar aquí.|No hay nada que rellenar.|Este dispositivo no tiene conexión.|Solo se muestran los primeros %.|Contraseña|La Content-Security-Policy de este sitio no permite solicitudes a %. Quien gestiona el sitio puede permitirlas en connect-src.|Nombre|Los navegadores no pueden enviar encabezados con un WebSocket: el valor va como Sec-WebSocket-Protocol.|Recibido|Recordar en este navegador|Quitar %|Solicitud|Enviar de todos modos|Envíe la solicitud para ver aquí la respuesta.|Enviando…|Enviado|Servidor|Mostrar más|No hubo respuesta en % segundos.|Usar el ejemplo|Usuario|No tiene la forma: %|Debe ser de tipo: %",
  pt: "Adicionar item|Adicionar propriedade|Este JSON não é válido: %|URL base|O navegador não pode enviar isto: %|Cancelar|A requisição foi cancelada.|O próprio navegador pede o certificado ao conectar.|Escolher um arquivo|Conectar|Conectado|Conectando…|A conexão foi encerrada (%).|Não foi possível abrir uma conexão com %.|Os navegadores não deixam uma página definir cookies para outro host: isto só está na requisição copiada.|Copiar como cURL|Desconectar|Baixar|Endpoints|Campos a verificar: %|Preencha este campo.|Esquecer|Esquecido.|Formulário|Texto livre|Obtenha um token em %|Os navegadores não deixam uma página definir este cabeçalho: ele só está na requisição copiada.|Os navegadores só mostram os cabeçalhos que a API expõe (Access-Control-Expose-Headers).|Tipo|Mensagem|Mensagens|Esta página veio por https e a API seria chamada por http, o que os navegadores recusam.|Sem resposta|O navegador não recebeu de % nenhuma resposta que possa mostrar. Em geral a API não permite que páginas deste site a chamem (CORS); ela também pode estar inacessível. A mesma requisição funciona em um terminal.|Não conectado|Este tipo de conteúdo não pode ser mostrado aqui.|Não há nada a preencher.|Este dispositivo está offline.|Só os primeiros % são mostrados.|Senha|A Content-Security-Policy deste site não permite requisições a %. Quem mantém o site pode permiti-las em connect-src.|Nome|Os navegadores não podem enviar cabeçalhos com um WebSocket: o valor vai como Sec-WebSocket-Protocol.|Recebida|Lembrar neste navegador|Remover %|Requisição|Enviar mesmo assim|Envie a requisição para ver a resposta aqui.|Enviando…|Enviada|Servidor|Mostrar mais|Não houve resposta em % segundos.|Usar o exemplo|Usuário|Não está na forma: %|Deve ser do tipo: %",
  it: "Aggiungi elemento|Aggiungi proprietà|Questo JSON non è valido: %|URL di base|Il browser non può inviare questo: %|Annulla|La richiesta è stata annullata.|Il browser chiede da sé il certificato quando si connette.|Scegli un file|Connetti|Connesso|Connessione…|La connessione è stata chiusa (%).|Non è stato possibile aprire una connessione a %.|I browser non lasciano che una pagina imposti cookie per un altro host: questo è solo nella richiesta copiata.|Copia come cURL|Disconnetti|Scarica|Endpoint|Campi da controllare: %|Compilare questo campo.|Dimentica|Dimenticato.|Modulo|Testo libero|Un token si ottiene su %|I browser non lasciano che una pagina imposti questa intestazione: è solo nella richiesta copiata.|I browser mostrano solo le intestazioni che l’API espone (Access-Control-Expose-Headers).|Genere|Messaggio|Messaggi|Questa pagina è arrivata via https e l’API verrebbe chiamata via http, cosa che i browser rifiutano.|Nessuna risposta|Il browser non ha ricevuto da % una risposta che possa mostrare. Di solito l’API non permette alle pagine di questo sito di chiamarla (CORS); può anche essere irraggiungibile. La stessa richiesta funziona da un terminale.|Non connesso|Questo tipo di contenuto non può essere mostrato qui.|Non c’è nulla da compilare.|Questo dispositivo è offline.|Sono mostrati solo i primi %.|Password|La Content-Security-Policy di questo sito non permette richieste a %. Chi gestisce il sito può permetterle in connect-src.|Nome|I browser non possono inviare intestazioni con un WebSocket: il valore va come Sec-WebSocket-Protocol.|Ricevuto|Ricorda in questo browser|Rimuovi %|Richiesta|Invia comunque|Invia la richiesta per vedere qui la risposta.|Invio…|Inviato|Server|Mostra altro|Nessuna risposta entro % secondi.|Usa l’esempio|Nome utente|Non è nella forma: %|Deve essere di tipo: %",
  nl: "Item toevoegen|Eigenschap toevoegen|Dit is geen geldige JSON: %|Basis-URL|De browser kan dit niet versturen: %|Annuleren|Het verzoek is geannuleerd.|De browser vraagt zelf om het certificaat bij het verbinden.|Bestand kiezen|Verbinden|Verbonden|Verbinden…|De verbinding is gesloten (%).|Er kon geen verbinding met % worden geopend.|Browsers laten geen pagina cookies voor een andere host zetten: dit staat alleen in het gekopieerde verzoek.|Kopiëren als cURL|Verbreken|Downloaden|Endpoints|Te controleren velden: %|Vul dit in.|Vergeten|Vergeten.|Formulier|Vrije tekst|Een token krijgt u op %|Browsers laten geen pagina deze header zetten: hij staat alleen in het gekopieerde verzoek.|Browsers tonen alleen de headers die de API vrijgeeft (Access-Control-Expose-Headers).|Soort|Bericht|Berichten|Deze pagina kwam via https en de API zou via http worden aangeroepen, wat browsers weigeren.|Geen antwoord|De browser kreeg van % geen antwoord dat hij mag tonen. Meestal staat de API pagina’s van deze site niet toe haar aan te roepen (CORS); misschien is ze ook onbereikbaar. Hetzelfde verzoek werkt vanuit een terminal.|Niet verbonden|Dit soort inhoud kan hier niet worden getoond.|Er valt niets in te vullen.|Dit apparaat is offline.|Alleen de eerste % worden getoond.|Wachtwoord|De Content-Security-Policy van deze site staat geen verzoeken aan % toe. Wie de site beheert, kan dat toestaan in connect-src.|Naam|Browsers kunnen geen headers meesturen met een WebSocket: de waarde gaat als Sec-WebSocket-Protocol.|Ontvangen|Onthouden in deze browser|% verwijderen|Verzoek|Toch versturen|Verstuur het verzoek om hier het antwoord te zien.|Versturen…|Verzonden|Server|Meer tonen|Er kwam binnen % seconden geen antwoord.|Voorbeeld gebruiken|Gebruikersnaam|Dit heeft niet de vorm: %|Moet van het type zijn: %",
  ru: "Добавить элемент|Добавить свойство|Это не JSON: %|Базовый URL|Браузер не может это отправить: %|Отмена|Запрос отменён.|Браузер сам запросит сертификат при подключении.|Выберите файл|Подключиться|Подключено|Подключение…|Соединение закрыто (%).|Не удалось открыть соединение с %.|Браузеры не дают страницам задавать cookie для другого узла: это есть только в скопированном запросе.|Копировать как cURL|Отключиться|Скачать|Методы API|Проверьте поля: %|Заполните это поле.|Забыть|Забыто.|Форма|Свободный текст|Токен можно получить на %|Браузеры не дают страницам задавать этот заголовок: он есть только в скопированном запросе.|Браузеры показывают только заголовки, открытые API (Access-Control-Expose-Headers).|Вид|Сообщение|Сообщения|Страница получена по https, а API вызывался бы по http: браузеры этого не допускают.|Нет ответа|Браузер не получил от % ответа, который может показать. Чаще всего API не разрешает страницам этого сайта обращаться к нему (CORS); возможно, он и недоступен. Тот же запрос работает из терминала.|Не подключено|Такое содержимое здесь показать нельзя.|Заполнять нечего.|Устройство не в сети.|Показаны только первые %.|Пароль|Content-Security-Policy этого сайта не разрешает запросы к %. Владелец сайта может разрешить их в connect-src.|Имя|Браузеры не могут отправлять заголовки с WebSocket: значение передаётся как Sec-WebSocket-Protocol.|Получено|Запомнить в этом браузере|Удалить %|Запрос|Всё равно отправить|Отправьте запрос, и ответ появится здесь.|Отправка…|Отправлено|Сервер|Показать ещё|За % секунд ответа не было.|Взять пример|Имя пользователя|Не соответствует виду: %|Нужен тип: %",
  zh: "添加元素|添加属性|不是有效的 JSON：%|基础 URL|浏览器无法发送此请求：%|取消|请求已取消。|连接时浏览器会自行询问证书。|选择文件|连接|已连接|正在连接…|连接已关闭（%）。|无法与 % 建立连接。|浏览器不允许页面为其他主机设置 Cookie：它只出现在复制的请求中。|复制为 cURL|断开|下载|端点|待检查的字段：%|请填写此项。|忘记|已忘记。|表单|自由文本|可在 % 获取令牌|浏览器不允许页面设置此请求头：它只出现在复制的请求中。|浏览器只显示 API 公开的响应头（Access-Control-Expose-Headers）。|类型|消息|消息|此页面通过 https 打开，而 API 将以 http 调用，浏览器会拒绝。|没有响应|浏览器没有从 % 得到可以显示的响应。最常见的原因是 API 不允许本站页面调用（CORS），也可能无法连通。同样的请求可在终端中使用。|未连接|此类内容无法在这里显示。|无需填写任何内容。|此设备处于离线状态。|仅显示前 %。|密码|本站的 Content-Security-Policy 不允许向 % 发送请求。网站管理者可在 connect-src 中允许。|名称|浏览器无法随 WebSocket 发送请求头：该值将作为 Sec-WebSocket-Protocol 发送。|已接收|在此浏览器中记住|移除 %|请求|仍然发送|发送请求后，响应会显示在这里。|正在发送…|已发送|服务器|显示更多|% 秒内没有响应。|使用示例|用户名|不符合格式：%|类型必须是：%",
  "zh-Hant":
    "新增項目|新增屬性|不是有效的 JSON：%|基礎 URL|瀏覽器無法傳送此請求：%|取消|請求已取消。|連線時瀏覽器會自行詢問憑證。|選擇檔案|連線|已連線|正在連線…|連線已關閉（%）。|無法與 % 建立連線。|瀏覽器不允許頁面為其他主機設定 Cookie：它只出現在複製的請求中。|複製為 cURL|中斷連線|下載|端點|待檢查的欄位：%|請填寫此項。|忘記|已忘記。|表單|自由文字|可在 % 取得權杖|瀏覽器不允許頁面設定此標頭：它只出現在複製的請求中。|瀏覽器只顯示 API 公開的標頭（Access-Control-Expose-Headers）。|類型|訊息|訊息|此頁面透過 https 開啟，而 API 將以 http 呼叫，瀏覽器會拒絕。|沒有回應|瀏覽器沒有從 % 得到可以顯示的回應。最常見的原因是 API 不允許本站頁面呼叫（CORS），也可能無法連通。同樣的請求可在終端機中使用。|未連線|此類內容無法在這裡顯示。|無需填寫任何內容。|此裝置處於離線狀態。|僅顯示前 %。|密碼|本站的 Content-Security-Policy 不允許向 % 傳送請求。網站管理者可在 connect-src 中允許。|名稱|瀏覽器無法隨 WebSocket 傳送標頭：該值將作為 Sec-WebSocket-Protocol 傳送。|已接收|在此瀏覽器中記住|移除 %|請求|仍然傳送|傳送請求後，回應會顯示在這裡。|正在傳送…|已傳送|伺服器|顯示更多|% 秒內沒有回應。|使用範例|使用者名稱|不符合格式：%|類型必須是：%",
  ja: "項目を追加|プロパティを追加|正しい JSON ではありません: %|ベース URL|ブラウザーはこれを送信できません: %|キャンセル|リクエストはキャンセルされました。|証明書は接続時にブラウザー自身が尋ねます。|ファイルを選択|接続|接続済み|接続中…|接続が閉じられました (%)。|% に接続できませんでした。|ブラウザーはページが別のホストの Cookie を設定することを許しません。これはコピーしたリクエストにだけ含まれます。|cURL としてコピー|切断|ダウンロード|エンドポイント|確認が必要な項目: %|入力してください。|消去|消去しました。|フォーム|自由入力|トークンは % で取得できます|ブラウザーはページがこのヘッダーを設定することを許しません。これはコピーしたリクエストにだけ含まれます。|ブラウザーは API が公開するヘッダーだけを表示します (Access-Control-Expose-Headers)。|種類|メッセージ|メッセージ|このページは https で開かれていますが、API は http で呼び出されるため、ブラウザーが拒否します。|応答なし|ブラウザーは % から表示できる応答を受け取れませんでした。多くの場合、API がこのサイトのページからの呼び出しを許可していません (CORS)。接続できない可能性もあります。同じリクエストは端末から実行できます。|未接続|この種類の内容はここに表示できません。|入力する項目はありません。|この端末はオフラインです。|最初の % だけを表示しています。|パスワード|このサイトの Content-Security-Policy は % へのリクエストを許可していません。サイトの管理者は connect-src で許可できます。|名前|ブラウザーは WebSocket でヘッダーを送信できません。値は Sec-WebSocket-Protocol として送られます。|受信|このブラウザーに記憶する|% を削除|リクエスト|このまま送信|リクエストを送信すると、ここに応答が表示されます。|送信中…|送信|サーバー|さらに表示|% 秒以内に応答がありませんでした。|例を使う|ユーザー名|形式が正しくありません: %|型は次のとおりです: %",
  ko: "항목 추가|속성 추가|올바른 JSON이 아닙니다: %|기본 URL|브라우저가 보낼 수 없습니다: %|취소|요청이 취소되었습니다.|연결할 때 브라우저가 직접 인증서를 요청합니다.|파일 선택|연결|연결됨|연결 중…|연결이 닫혔습니다(%).|%에 연결할 수 없습니다.|브라우저는 페이지가 다른 호스트의 쿠키를 설정하지 못하게 합니다. 복사한 요청에만 포함됩니다.|cURL로 복사|연결 끊기|다운로드|엔드포인트|확인할 필드: %|입력하세요.|지우기|지웠습니다.|양식|자유 텍스트|토큰은 %에서 받을 수 있습니다|브라우저는 페이지가 이 헤더를 설정하지 못하게 합니다. 복사한 요청에만 포함됩니다.|브라우저는 API가 공개한 헤더만 보여 줍니다(Access-Control-Expose-Headers).|종류|메시지|메시지|이 페이지는 https로 열렸고 API는 http로 호출되므로 브라우저가 거부합니다.|응답 없음|브라우저가 %에서 표시할 수 있는 응답을 받지 못했습니다. 대개 API가 이 사이트의 페이지에서 호출하는 것을 허용하지 않기 때문이며(CORS), 연결할 수 없을 수도 있습니다. 같은 요청을 터미널에서 실행할 수 있습니다.|연결되지 않음|이런 종류의 내용은 여기에 표시할 수 없습니다.|입력할 것이 없습니다.|이 기기는 오프라인입니다.|처음 %만 표시합니다.|비밀번호|이 사이트의 Content-Security-Policy는 %(으)로 보내는 요청을 허용하지 않습니다. 사이트 운영자가 connect-src에서 허용할 수 있습니다.|이름|브라우저는 WebSocket에 헤더를 보낼 수 없습니다. 값은 Sec-WebSocket-Protocol로 전달됩니다.|받음|이 브라우저에 기억|% 제거|요청|그래도 보내기|요청을 보내면 여기에 응답이 표시됩니다.|보내는 중…|보냄|서버|더 보기|%초 안에 응답이 없었습니다.|예시 사용|사용자 이름|형식이 맞지 않습니다: %|다음 형식이어야 합니다: %",
  ar: "إضافة عنصر|إضافة خاصية|ليس JSON صالحًا: %|عنوان URL الأساسي|لا يستطيع المتصفح إرسال هذا: %|إلغاء|أُلغي الطلب.|يطلب المتصفح الشهادة بنفسه عند الاتصال.|اختر ملفًا|اتصال|متصل|جارٍ الاتصال…|أُغلق الاتصال (%).|تعذر فتح اتصال مع %.|لا تسمح المتصفحات لصفحة بضبط ملفات تعريف الارتباط لمضيف آخر: يظهر هذا في الطلب المنسوخ فقط.|نسخ بصيغة cURL|قطع الاتصال|تنزيل|نقاط النهاية|حقول تحتاج إلى مراجعة: %|املأ هذا الحقل.|نسيان|تم النسيان.|نموذج|نص حر|يمكن الحصول على رمز من %|لا تسمح المتصفحات لصفحة بضبط هذه الترويسة: تظهر في الطلب المنسوخ فقط.|لا تعرض المتصفحات إلا الترويسات التي تكشفها الواجهة (Access-Control-Expose-Headers).|النوع|رسالة|الرسائل|جاءت هذه الصفحة عبر https وستُستدعى الواجهة عبر http، وهو ما ترفضه المتصفحات.|لا استجابة|لم يتلق المتصفح من % استجابة يمكنه عرضها. غالبًا لا تسمح الواجهة لصفحات هذا الموقع باستدعائها (CORS)، وقد يتعذر الوصول إليها. يعمل الطلب نفسه من الطرفية.|غير متصل|لا يمكن عرض هذا النوع من المحتوى هنا.|لا شيء لملئه.|هذا الجهاز غير متصل بالشبكة.|يظهر أول % فقط.|كلمة المرور|لا تسمح Content-Security-Policy لهذا الموقع بالطلبات إلى %. يمكن لمن يدير الموقع السماح بها في connect-src.|الاسم|لا تستطيع المتصفحات إرسال ترويسات مع WebSocket: تُرسل القيمة في Sec-WebSocket-Protocol.|مستلمة|تذكّر في هذا المتصفح|إزالة %|الطلب|إرسال على أي حال|أرسل الطلب لترى الاستجابة هنا.|جارٍ الإرسال…|مرسلة|الخادم|عرض المزيد|لم تصل استجابة خلال % ثانية.|استخدام المثال|اسم المستخدم|ليس بالصيغة: %|يجب أن يكون من النوع: %",
  he: "הוספת פריט|הוספת מאפיין|זה אינו JSON תקין: %|כתובת בסיס|הדפדפן אינו יכול לשלוח זאת: %|ביטול|הבקשה בוטלה.|הדפדפן מבקש את האישור בעצמו בעת ההתחברות.|בחירת קובץ|התחברות|מחובר|מתחבר…|החיבור נסגר (%).|לא ניתן היה לפתוח חיבור אל %.|דפדפנים אינם מאפשרים לעמוד לקבוע קובצי Cookie למארח אחר: זה מופיע רק בבקשה המועתקת.|העתקה כ־cURL|ניתוק|הורדה|נקודות קצה|שדות לבדיקה: %|יש למלא שדה זה.|מחיקה מהזיכרון|נמחק.|טופס|טקסט חופשי|ניתן לקבל אסימון בכתובת %|דפדפנים אינם מאפשרים לעמוד לקבוע כותרת זו: היא מופיעה רק בבקשה המועתקת.|דפדפנים מציגים רק את הכותרות שה־API חושף (Access-Control-Expose-Headers).|סוג|הודעה|הודעות|עמוד זה הגיע דרך https וה־API ייקרא דרך http, דבר שדפדפנים מסרבים לו.|אין תגובה|הדפדפן לא קיבל מ־% תגובה שמותר לו להציג. לרוב ה־API אינו מאפשר לעמודים של אתר זה לקרוא לו (CORS); ייתכן גם שאינו זמין. אותה בקשה פועלת ממסוף.|לא מחובר|לא ניתן להציג כאן תוכן מסוג זה.|אין מה למלא.|מכשיר זה אינו מקוון.|מוצגים רק % הראשונים.|סיסמה|ה־Content-Security-Policy של אתר זה אינה מתירה בקשות אל %. מי שמפעיל את האתר יכול להתיר זאת ב־connect-src.|שם|דפדפנים אינם יכולים לשלוח כותרות עם WebSocket: הערך נשלח כ־Sec-WebSocket-Protocol.|התקבלה|לזכור בדפדפן זה|הסרת %|בקשה|לשלוח בכל זאת|שלחו את הבקשה כדי לראות כאן את התגובה.|שולח…|נשלחה|שרת|הצגת עוד|לא הגיעה תגובה בתוך % שניות.|שימוש בדוגמה|שם משתמש|זה אינו בצורה: %|חייב להיות מסוג: %",
};

export const playgroundKeys = [...sharedKeys, ...ownKeys] as const;
export type PlaygroundWord = (typeof playgroundKeys)[number];

/** Key of the language that the playground speaks on pages of this one. */
export const playgroundLanguage = (tag: string): string =>
  [tag, tag.split("-")[0]!].find((each) => Object.hasOwn(playgroundRows, each)) ?? "en";

/** All words in the order of `playgroundKeys`, with `|` between. @param shared words of a page in this language. */
export const playgroundWords = (language: string, shared: Readonly<Record<string, string>>): string =>
  [...sharedKeys.map((key) => shared[key]!), playgroundRows[language]!].join("|");
