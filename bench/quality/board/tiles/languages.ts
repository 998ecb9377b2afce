/** Notes and pages in other languages: id, title, text. */
export const LANGUAGES: readonly (readonly [id: string, title: string, text: string])[] = [
  [
    "de-heizung",
    "Heizung entlüften",
    "Zuerst die Pumpe ausschalten und eine halbe Stunde warten. Dann mit dem Vierkantschlüssel beim untersten Heizkörper anfangen und sich nach oben vorarbeiten. Wenn Wasser statt Luft kommt, sofort zudrehen. Danach muss der Druck wieder auf 1,6 bar gebracht werden.",
  ],
  [
    "de-verein",
    "Protokoll Gartenverein",
    "Der Jahresbeitrag steigt auf 54 Euro. Gemeinschaftsarbeit sind sechs Stunden im Jahr, wer fehlt, zahlt 15 Euro je Stunde. Der Schlüssel zum Geräteschuppen liegt jetzt bei Frau Petersen.",
  ],
  [
    "de-rezept",
    "Omas Kartoffelsalat",
    "Die Kartoffeln müssen noch warm mit der Brühe übergossen werden und dann eine Stunde ziehen. Keine Mayonnaise, nur Senf, Essig und Öl. Die Gurke kommt erst ganz zum Schluss dazu, sonst zieht sie Wasser.",
  ],
  [
    "de-bahn",
    "Fahrradmitnahme im Regionalzug",
    "Werktags zwischen sechs und neun Uhr dürfen keine Räder mit. Sonst kostet die Tageskarte 6,50 Euro, Falträder fahren zusammengeklappt gratis. Gruppen ab sechs Personen melden sich vorher an.",
  ],
  [
    "de-arzt",
    "Nach der Impfung",
    "Zwei Tage keinen Sport und keine Sauna. Fieber bis 38,5 ist normal und geht meist nach einem Tag zurück. Die zweite Dosis folgt nach acht Wochen.",
  ],
  [
    "de-messe",
    "Besprechung Messestand",
    "Der Stand ist in Halle 5, Platz C 27. Aufgebaut wird am Sonntag ab sieben, der Strom ist bestellt, ein Wasseranschluss nicht. Für die Muster brauchen wir eine Vitrine, die man abschließen kann.",
  ],
  [
    "de-fledermaus",
    "Fledermäuse unter dem Dach",
    "Die Kolonie zieht Ende August von selbst aus. Bis dahin ist Bauen am Giebel verboten. Der Kot ist trocken, riecht kaum und taugt als Dünger für Rosen.",
  ],
  [
    "fr-gite",
    "Gîte en Bretagne",
    "La clé se trouve dans la boîte grise, le code est 4183. L'eau chaude met dix minutes à arriver dans la salle de bains du haut. Les poubelles sont ramassées le mercredi matin.",
  ],
  [
    "fr-ecole",
    "Réunion de l'école",
    "La cantine passe à 4,10 euros par repas en septembre. Les élèves de CM2 partiront cinq jours en classe de neige. Il manque encore deux parents pour accompagner la sortie à la ferme.",
  ],
  [
    "fr-recette",
    "Tarte aux poireaux",
    "Faire fondre les poireaux à couvert pendant vingt-cinq minutes sans les colorer. La moutarde étalée sur la pâte l'empêche de détremper. Quarante minutes au four à 180 degrés.",
  ],
  [
    "fr-velo",
    "Atelier vélo du quartier",
    "L'atelier ouvre le jeudi de 18 à 21 heures. L'adhésion est de 12 euros par an, les outils sont prêtés sur place. Les pièces d'occasion se paient à prix libre.",
  ],
  [
    "fr-chat",
    "Le chat du voisin",
    "Pendant son absence, il faut donner soixante grammes de croquettes matin et soir. Il se cache dans l'armoire quand il y a de l'orage. Le vétérinaire de garde est rue des Tanneurs.",
  ],
  [
    "fr-reunion",
    "Compte rendu : site marchand",
    "Le paiement en trois fois sera proposé à partir de 150 euros. La page d'accueil perd le carrousel, que seulement un pour cent des visiteurs touchait. Mise en ligne le 9 octobre.",
  ],
  [
    "fr-marees",
    "Pêche à pied",
    "On ne ramasse pas les coques de moins de trois centimètres. Cinq kilos par personne et par jour, jamais la nuit. Il faut quitter le banc de sable deux heures avant la pleine mer.",
  ],
  [
    "es-piso",
    "El piso nuevo",
    "El alquiler son 870 euros con la comunidad incluida. La caldera hay que revisarla cada dos años y la última revisión fue en marzo. El contador de la luz está en el rellano del tercero.",
  ],
  [
    "es-receta",
    "Tortilla de mi madre",
    "Las patatas se confitan a fuego lento, no se fríen. Se mezclan con el huevo y reposan un cuarto de hora antes de cuajar. Con cebolla, y eso no se discute.",
  ],
  [
    "es-ruta",
    "Ruta del desfiladero",
    "Son doce kilómetros solo de ida y no hay sombra. El autobús de vuelta sale a las 17:20 y no espera. En enero y febrero caen piedras y el sendero se cierra.",
  ],
  [
    "es-reunion",
    "Acta de la comunidad",
    "Se aprueba cambiar el ascensor por 38.000 euros en dieciocho cuotas. El portero se jubila en junio y no se contratará a otro. Queda prohibido tender ropa en la fachada.",
  ],
  [
    "es-huerto",
    "El huerto en verano",
    "Regar antes de las ocho de la mañana, nunca sobre las hojas. Contra el pulgón va bien el jabón potásico cada cuatro días. Los tomates se atan con tela, que el alambre corta el tallo.",
  ],
  [
    "es-taller",
    "Taller del coche",
    "Han cambiado la correa de distribución y la bomba de agua, 540 euros con mano de obra. La próxima a los 120.000 kilómetros. El ruido venía del soporte del motor.",
  ],
  [
    "ja-gomi",
    "ごみの出し方",
    "燃えるごみは火曜日と金曜日の朝八時までに出します。ペットボトルは第二水曜日です。粗大ごみは電話で予約し、三百円の券を貼ってください。",
  ],
  [
    "ja-onsen",
    "温泉旅行のメモ",
    "宿は川沿いの「青葉荘」で、夕食は六時半に始まる。貸切風呂は四十五分で二千円、予約は到着してから。帰りのバスは十時十分に橋の前から出る。",
  ],
  [
    "ja-kaigi",
    "定例会議の記録",
    "新しい倉庫は来年四月に横浜へ移ることが決まった。費用は千二百万円の見込み。鈴木さんが引っ越しの責任者になる。",
  ],
  [
    "ja-miso",
    "味噌の作り方",
    "大豆一キロに対して麹も一キロ、塩は四百五十グラム使う。二月に仕込むと失敗が少ない。十か月寝かせてから食べる。",
  ],
  ["ja-neko", "猫の薬", "赤い錠剤は朝だけ半分、餌に混ぜる。目薬は一日三回、両目に一滴ずつ。食欲がないときは山田先生に電話する。"],
];
