const BOILERPLATE: readonly RegExp[] = [
  /^code: (?:select all|alles auswählen|tout sélectionner|seleccionar todo|selecionar todos|seleziona tutto|alles selecteren|zaznacz cały|выделить всё)$/i,
  /^(?=.{0,320}\b(?:issues|subscri\w{1,8}|click here|newsletters?)\b)(?:get|have) .{1,60} delivered (?:to|through) your (?:door|letterbox|inbox|mailbox)\b.{0,160}$/i,
  /^(?=.{0,320}\b(?:as little as|free trial|subscribe|sign up|use the code)\b)(?:get|unlock|enjoy) (?:unlimited |full |instant )?access to\b.{0,80}\b(?:subscriptions?|premium|pro)\b.{0,220}$/i,
  /^want more\b.{1,40}\?.{0,40}\b(?:subscri\w{1,8}|newsletters?|sign up)\b.{0,200}$/i,
  /^(?:follow|see|read) .{0,40}\b(?:full|complete) coverage\b.{0,160}$/i,
  /^more .{1,40}: https?:\/\/.{1,160}$/i,
  /^sources?: .{0,40}\b(?:news|agenc(?:y|ies))\.?$/i,
  /^.{0,40}\b(?:comments?|kommentare|comentários|comentarios|commentaires)\b.{0,100}\b(?:are|will be|werden|serão|serán|son|são|sont|seront)\b.{0,60}\b(?:moderat(?:ed|ors?|ion)|moderiert|freigeschaltet|moderador(?:es)?|modér(?:és|ateurs?))\b.{0,80}$/i,
  /^.{0,80}\?\s(?:sign up|subscribe|register|melden? sie sich|jetzt) (?:here|now|hier|anmelden)\b.{0,20}$/i,
  /^(?:become a member|werden sie mitglied|hazte (?:miembro|socio)|h[áa]gase (?:miembro|socio)|devenez membre|diventa (?:socio|membro))\b.{0,40} (?:and|und|y|et|e|&) .{0,20}\b(?:exclusive|benefits?|exklusive|vorteile|exclusivos|beneficios|avantages|vantaggi)\b.{0,60}$/i,
  /^(?:visit|besuchen sie|besuche|visita|visitez) (?:our|unseren|nuestra|notre|il nostro)\b.{0,24}\b(?:shop|store|tienda|boutique|negozio)\b.{0,20}$/i,
  /^.{0,80}\b(?:folgen|seguir|síguenos|suivre|suivez|segui|follow)\b.{0,80}\b(?:facebook|twitter|instagram)\b.{0,40}\b(?:facebook|twitter|instagram|whatsapp|youtube)\b.{0,180}$/i,
  /^(?:impressum|imprint|legal notice|mentions légales|aviso legal|note legali)\s*[|·•–-]\s*(?:datenschutz|privacy|confidentialité|privacidad|contact|kontakt).{0,120}$/i,
  /^(?:mitglieder in diesem forum|users (?:browsing|viewing) this (?:forum|topic|thread)|utilisateurs parcourant ce forum)\b.{0,120}$/i,
  /^(?:scroll|swipe) (?:down )?to (?:read|see|view|continue)\b.{0,60}$/i,
  /^(?:failed to load (?:latest|content|comments|more)\b.{0,60}|(?:this|diese|cette|esta|questa) (?:page|seite|página|pagina):?|sponsored links?|.{0,120}\brss-feed abonnieren.{0,20})\.?$/i,
  /^(?:back|zurück|volver|retour) (?:to|zu|zur|zum|a|à) (?:all|allen|overview|übersicht|list|liste|search|suche|todas|toutes)\b[^.!?]{0,40}$/i,
  /^[a-z]{2,4}(?:, [a-z]{2,4}){0,3} ?\/ ?(?:pap|afp|dpa|reuters|ap|efe|ansa|apa)$/i,
  /^(?:(?:diese[nr]?|news|jetzt|gleich|artikel|seite) ?){1,3} teilen:?!?$|^(?:diese[nr]? )?(?:seite|artikel|beitrag|news) teilen:?$|^(?:s[ií]guenos|nos siga|siga-nos|suivez-nous|seguici)\b.{0,120}$/i,
  /^anzeige\b.{0,40}$|^\d+ comments?\b.{0,20}$|^\d{1,3} (?:minut(?:y|a)?|min\.?) czytania$/i,
  /^.{0,160}\bif you have a (?:news )?tip\b.{0,200}$|^write to .{1,60} at \S+@\S+$/i,
  /^(?:auf|per|via|on|en|sur|em|su|share (?:on|via)) (?:pinterest|whatsapp|facebook|twitter|x|linkedin|e-?mail|telegram|reddit|bluesky|mastodon)\b(?: (?:teilen|merken|share|compartir|partager|condividi|compartilhar))?$/i,
  /^.{0,80}\b(?:create|sign up for) (?:a|an|your)(?: free)? account (?:to|and|for)\b.{0,30}\b(?:read|continue|access|comment|unlock|save|without)\b.{0,60}$/i,
  /^(?:continue|sign in|sign up|log in|weiter|anmelden|continuer|continuar) (?:with|mit|avec|con) (?:google|apple|facebook|e-?mail|github|microsoft)$/i,
  /^(?:be the first to (?:share|comment|review|reply|rate)|sé el primero en|soyez le premier|schreiben sie den ersten|(?:es gibt )?(?:noch )?keine (?:bewertungen|kommentare)|aucun (?:avis|commentaire)|sin comentarios|nessun commento|no (?:reviews|comments) yet)\b.{0,80}$/i,
  /^(?:listen to|hear) this (?:article|story|post|page)\b.{0,80}$/i,
  /^(?:¿?te ha resultado|¿?(?:le|te) (?:fue|ha sido)|war (?:diese|dieser|das)|cette (?:page|réponse)|questa pagina|esta página|was dit)\b.{0,60}(?:útil|hilfreich|utile|nuttig).{0,30}\?.{0,30}$/i,
  /^(?:inkl\..{0,30})?zzgl\. versand(?:kosten)?$/i,
  /^(?:ここから本文です|本文へ(?:スキップ|移動)?|(?:この)?ページの先頭へ(?:戻る)?|印刷する|シェアする)。?$/u,
  /^.{0,60}\bsubscribe to (?:our|the)\b.{0,160}$/i,
  /^(?:\(?alle angaben ohne gewähr\)?|namentlich gekennzeichnete beiträge\b.{0,160}|(?:dieser|der) (?:beitrag|artikel|text) gibt die meinung\b.{0,160}|the (?:views|opinions) expressed\b.{0,200})\.?$/i,
  /^.{0,80}\b(?:links?|verlinkungen)\b.{0,80}\b(?:provision|affiliate|zu anbietern|commission)\b.{0,140}$/i,
  /^(?:du musst|sie müssen|you must|please|bitte)\b.{0,40}\b(?:ein(?:ge)?loggt?(?:en)?|angemeldet|registrieren sie sich)\b.{0,140}$/i,
  /^(?:lade weitere inhalte|load more|mehr laden|mehr anzeigen|bild (?:anzeigen|schließen)|rezept drucken|print recipe|zum vergrößern.{0,40}|(?:click|tap) to (?:enlarge|expand|zoom)|view (?:gallery|comments)|buy now|add to (?:cart|basket)|in den warenkorb)\b.{0,40}$/i,
  /^(?:(?:this )?page )?(?:last (?:updated?|modified|reviewed|edited|changed)|zuletzt (?:geändert|aktualisiert|bearbeitet)|letzte (?:änderung|aktualisierung)|dernière (?:mise à jour|modification)|última (?:actualización|modificación|edición|atualização)|ultimo aggiornamento|laatst (?:bijgewerkt|gewijzigd)|最終更新|最后更新|آخر تحديث)(?![\p{L}]).{0,60}$/iu,
  /^(?:edit|improve|view|report a problem with|suggest (?:an )?edits? to|print|bookmark) (?:this )?(?:page|article|source)(?: on \w+)?$/i,
  /^\d{1,3} ?(?:min(?:ute)?s?\.?|minuten|minutos) ?(?:read|lesezeit|de lecture|de lectura|de leitura|di lettura)$/i,
  /^(?:was|is|did you find) this (?:page|article|information|answer|topic)\b.{0,60}\b(?:helpful|useful)\b.{0,60}$/i,
  /^(?:join|become)\b.{0,80}\b(?:mailing list|newsletter|subscribers)\b.{0,60}$/i,
  /^(?=.*\bcookies?\b).{0,60}\b(?:we (?:and our partners )?(?:use|set|store)|our partners (?:use|set|store)|this (?:web)?site (?:uses|sets|keeps)|wir (?:verwenden|setzen|nutzen)|(?:diese|unsere) (?:web)?s(?:e)?ite (?:verwendet|nutzt)|nous utilisons|ce site utilise|utilizamos|usamos|este sitio (?:web )?utiliza|utilizziamo|questo sito utilizza|(?:tú|usted) decide|manage (?:your )?|accept (?:all )?|by (?:continuing|using))\b.{0,220}$/i,
  /^(?:(?:this|the|all|our|site|unless|except|sofern|content|text|die inhalte)\b.{0,80})?\b(?:creative commons|cc[ -]by(?:-[a-z]{2})*(?: \d\.\d)?)\b.{0,120}$|^(?:this|all|except|unless|text|content|original content)\b.{0,80}\b(?:content|text|site|page|work|noted|material)\b.{0,60}\b(?:licensed|available) under\b.{0,100}$/i,
  /^(?:advertisement|advertisements|advertising|sponsored|promoted|ad|story continues(?: below)?.*|continue reading.*|read more\b.{0,100}|read also\b.{0,120}|also read\b.{0,120}|see also:.{0,120}|more:.{0,120}|related(?: (?:articles?|stories|posts?|content|topics|coverage|links?|news|reading))?(?::.{0,160})?)\.?$/i,
  /^(?:share|share this.{0,60}|share on .{0,40}|share (?:article|story|via).{0,40}|tweet|pin it|print|email|e-mail|save|copy link|like this:?.{0,20}|loading\.{0,3}|follow us.{0,100}|follow .{1,40} on (?:twitter|facebook|instagram|x)\b.{0,160})\.?$/i,
  /^(?:sign up|subscribe|register)\b.{0,40}\b(?:newsletters?|updates|alerts|e-?mails?|inbox|channel|podcast|now|today|here)\b.{0,120}$/i,
  /^(?:get|receive)\b.{0,60}\b(?:inbox|newsletters?)\b.{0,80}$/i,
  /^(?:click|tap) (?:here\b|to (?:read|view|see|watch|listen|share|print|subscribe)\b).{0,140}$/i,
  /^(?:download|get) (?:the|our) .{0,30}\bapp\b.{0,80}$/i,
  /^(?:©|\(c\) ?\d{4}|copyright\b).{0,200}$/i,
  /^.{0,60}\ball rights reserved\b.{0,120}$/i,
  /^(?:photo(?:graph)?s?|image|picture|photo credit|image credit|credit|foto|illustration)(?: by| credit| source| courtesy| via|:| ?\/).{0,140}$/i,
  /^(?:filed under|posted in)\b[^.!?]{0,160}$/i,
  /^(?:tags?|see more on|more on|themen|temas|schlagwörter|stichwörter|mots-clés|categories|category|topics?|keywords|labels)\s*(?::.{0,160})?$/i,
  /^(?:comments?|leave a (?:comment|reply)|no comments.{0,30}|\d+ comments?|view comments.{0,20}|join the (?:conversation|discussion).{0,60}|what do you think\?.{0,60})$/i,
  /^(?:(?:last )?(?:updated|published|posted|modified)(?: on| at)?|first published(?: on)?):?\s.{0,60}$/i,
  /^(?:watch|video|listen|photos|gallery|in pictures):.{0,140}$/i,
  /^(?:most (?:read|popular|viewed)|trending(?: now)?|recommended(?: for you)?|you (?:may|might) (?:also )?(?:like|be interested in).{0,40}|up next|next article|previous article|don't miss.{0,60}|editor'?s picks?|top stories)\s*:?$/i,
  /^(?:skip (?:to|advert|ad)\b.{0,50}|back to top|show more|view more|load more|see more|expand|close|menu|search)$/i,
  /^(?:this (?:article|story|post) (?:was )?(?:first |originally )?(?:appeared|published)\b).{0,160}$/i,
  /^(?:teilen|drucken|anzeige|werbung|mehr zum thema.{0,80}|lesen sie auch.{0,120}|publicité|partager|à lire aussi.{0,120}|lire aussi.{0,120}|publicidad|compartir|lea también.{0,120}|leia também.{0,120}|pubblicità|condividi|leggi anche.{0,120}|реклама|поделиться|читайте также.{0,120})$/i,
  /^(?:follow|find|tweet|contact|email|reach)\b.{1,80}(?:\s@\w|\b(?:twitter|facebook|instagram|linkedin|newsletter)\b).{0,120}$/i,
  /^(?:folgen sie|folg[et] (?:uns|mir)|suivez|s[ií]g(?:uenos|anos)|seguidnos|siga[mn]?(?:-nos)?|seguiteci|volg ons)\b.{1,80}(?:\s@\w|\b(?:twitter|facebook|instagram|linkedin|newsletter)\b)[^.!?]{0,80}[.!]?$/i,
  /^.{0,160}\b(?:contributed to this (?:report|story|article))\b.{0,120}$/i,
  /^(?:have a (?:news )?tip|got a (?:news )?tip|send (?:us )?(?:your )?(?:news )?tips)\b.{0,200}$/i,
  /^.{0,120}\b(?:may earn|may receive|earns?) (?:an? )?(?:small )?(?:affiliate )?commission\b.{0,140}$/i,
  /^[-–—(\s]*(?:advertisement|advert|ads?|anzeige|werbung|publicidad|publicité|pubblicità|reklama|iklan|reclame)[-–—):\s]*$/i,
  /^\(?(?:image|photo|picture|foto|bild|titelbild|credit|crédito|créditos|źródło|fot)s?(?: credit| by)?\s?[:©/.].{0,140}$/i,
  /^\(?©.{0,140}$/,
  /^(?:kommentare? (?:schreiben|geschlossen|verfassen|deaktiviert).{0,60}|schreibe einen kommentar.{0,40}|deixe um comentário.{0,40}|deja un comentario.{0,40}|laisser un commentaire.{0,40}|добавить отзыв|отзывы|комментарии.{0,20}|comentarios|comentários|commentaires|komentarze)$/i,
  /^(?:sign in|log in|subscribe|register|newsletter|externer inhalt|loading content|order reprints|print article|text size|zurück|nach oben|weiterlesen(?: \d+ minuten?)?|mehr lesen|breaking news|latest news|leer más|lire la suite|ler mais|czytaj (?:też|także|więcej).{0,120}|zobacz (?:też|także).{0,120})$/i,
  /^(?:comments (?:are|have been) (?:closed|disabled|turned off)|les commentaires sont fermés|los comentarios están cerrados)\b.{0,60}$/i,
  /^(?:you must be|please|du musst|sie müssen)\b.{0,40}\b(?:logged in|log in|signed in|sign in|eingeloggt|angemeldet)\b.{0,100}$/i,
  /^(?:if you (?:enjoyed|liked) (?:reading )?this (?:post|article|story)|(?:artikel|beitrag) gefallen|hat (?:ihnen|dir) (?:der|dieser) (?:artikel|beitrag) gefallen)\b.{0,160}$/i,
  /^(?:never miss|get the latest (?:news|stories|updates)|keep up with the latest)\b.{0,140}$/i,
  /^(?:this (?:entry|post|article) was (?:posted|filed|published) (?:in|on|by|under)|suggested citation|cite this (?:article|post)|bookmark the permalink)\b.{0,200}$/i,
  /^.{0,30}\b(?:letters? to the editor)\b.{0,120}$/i,
];

/** Whether a short line is boilerplate of websites, such as a request to subscribe. */
export const isBoilerplate = (text: string): boolean => text.length <= 320 && BOILERPLATE.some((pattern) => pattern.test(text));

const NON_CONTENT_HEADING =
  /^[^\p{L}]{0,5}(?:(?:customer |reader )?reviews?(?: \(\d+\))?|responses?(?: \(\d+\))|related\b.{0,40}|tell us what you think|who(?:.s| is) online|wer ist online|auch auf \S+\.\w+|contenidos? relacionados?|read (?:more|next|also)\b.{0,40}|see also|further reading|more (?:from|on|about|in|great|stories|news|articles|posts|reading)\b.{0,50}|most (?:read|popular|viewed)\b.{0,30}|recommended\b.{0,30}|you (?:may|might) (?:also )?(?:like|enjoy|be interested).{0,40}|popular (?:posts|articles|stories|news)|latest (?:news|posts|articles|stories).{0,20}|recent (?:posts|articles|news)|trending\b.{0,20}|don.?t miss.{0,30}|up next|next (?:article|post|story)|about the authors?|about (?:me|us)|author(?:s|en)?:?|comments?|\d+ (?:comments?|kommentare?|comentarios|commentaires)|(?:leave|post|add) a (?:comment|reply)|join the (?:conversation|discussion)|share this.{0,30}|subscribe\b.{0,40}|sign up\b.{0,60}|newsletter.{0,30}|(?:das )?könnte (?:dich|sie|euch) (?:auch |ebenfalls )?interessieren.{0,20}|(?:das|dieses thema|das thema) könnte (?:dich|sie|euch) (?:auch |ebenfalls )?interessieren.{0,20}|auch interessant.{0,20}|ähnliche (?:beiträge|artikel|themen).{0,20}|verwandte (?:artikel|beiträge|themen).{0,20}|verwandte (?:links|artikel)|(?:we found )?other products\b.{0,40}|(?:weitere|neueste|aktuelle|mehr) (?:pressemitteilungen|artikel|beiträge|meldungen|themen|nachrichten|news|infos|informationen).{0,40}|mehr (?:zum thema|zu diesem thema|aus|von|lesen)\b.{0,40}|zum weiterlesen.{0,10}|weiterführende[rns]? (?:links?|informationen|artikel)|noch mehr infos?\b.{0,20}|(?:entdecke|entdecken sie) (?:weitere|mehr)\b.{0,30}|zum thema|lesen sie auch.{0,30}|lesetipps?|meistgelesen.{0,20}|über den autor.{0,30}|über die autorin.{0,30}|kommentare?|kommentar (?:schreiben|verfassen)|schreibe einen kommentar.{0,40}|à lire (?:aussi|également).{0,30}|lire aussi.{0,30}|articles? (?:similaires|liés|connexes).{0,20}|sur le même (?:sujet|thème).{0,20}|commentaires?|(?:te|le) puede interesar.{0,20}|también (?:te|le) puede interesar.{0,20}|lea también.{0,30}|noticias relacionadas|artículos relacionados|más (?:noticias|leídas|sobre)\b.{0,30}|comentarios|leia (?:também|mais).{0,30}|veja também.{0,30}|artigos relacionados|posts relacionados|comentários|leggi anche.{0,30}|articoli correlati|potrebbe interessarti.{0,20}|commenti|zobacz (?:także|też|również).{0,30}|czytaj (?:także|też|również).{0,30}|podobne artykuły|komentarze.{0,10}|lees ook.{0,30}|gerelateerd.{0,20}|reacties|læs også.{0,30}|läs (?:också|mer).{0,30}|читайте также.{0,20}|похожие (?:статьи|записи|материалы)|самые популярные.{0,30}|популярн(?:ое|ые).{0,30}|комментарии.{0,15}|отзывы|関連記事|相关(?:文章|阅读|新闻)|관련 ?(?:기사|글))\s*[:：.!?…]*$/iu;

/** Whether a line is the heading of a section that is not content: related pages, comments, the author, a newsletter. */
export const isNonContentHeading = (text: string): boolean => text.length <= 80 && NON_CONTENT_HEADING.test(text);

const BYLINE =
  /^(?:by|von|par|por|di|door|av|autora?|auteur|author|autore|text|texto?|texte|words|story|written by|posted by|published by|reported by|edited by|publicado por|escrito por|scritto da|redaktion|foto)\b:?/i;

/** Whether a line names the author of the text, in one of the common languages. */
export const isByline = (text: string): boolean =>
  text.length <= 160 && BYLINE.test(text) && text.split(" ").length <= 12 && !/[.!?]$/.test(text);
