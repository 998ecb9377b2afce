/** Long and short names of months and days in lower case (CLDR). Getting them from `Intl` would take 40 ms at the start of each thread. */
const CALENDAR: Readonly<Record<string, string>> = {
  en: "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep oct nov dec mon tue wed thu fri sat sun",
  de: "januar februar märz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag jan feb apr aug sept okt nov dez mo di mi do fr sa so",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche janv févr avr juil sept oct nov déc lun mar mer jeu ven sam dim",
  es: "de enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo ene feb mar abr may jun jul ago sept oct nov dic lun mié jue vie sáb dom",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica gen feb mar apr mag giu lug ago set ott nov dic lun mer gio ven sab dom",
  pt: "de janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro segunda feira terça quarta quinta sexta sábado domingo jan fev mar abr mai jun jul ago set out nov dez seg ter qua qui sex sáb dom",
  nl: "januari februari maart april mei juni juli augustus september oktober november december maandag dinsdag woensdag donderdag vrijdag zaterdag zondag jan feb mrt apr jun jul aug sep okt nov dec ma di wo do vr za zo",
  pl: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia poniedziałek wtorek środa czwartek piątek sobota niedziela sty lut mar kwi maj cze lip sie wrz paź lis gru pon wt śr czw pt sob niedz",
  cs: "ledna února března dubna května června července srpna září října listopadu prosince pondělí úterý středa čtvrtek pátek sobota neděle po út st čt pá so ne",
  ru: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря понедельник вторник среда четверг пятница суббота воскресенье янв февр мар апр июн июл авг сент окт нояб дек пн вт ср чт пт сб вс",
  tr: "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma cumartesi pazar oca şub mar nis may haz tem ağu eyl eki kas ara pzt sal çar per cum cmt paz",
  sv: "januari februari mars april maj juni juli augusti september oktober november december måndag tisdag onsdag torsdag fredag lördag söndag jan feb apr aug sep okt nov dec mån tis ons tors fre lör sön",
  da: "januar februar marts april maj juni juli august september oktober november december mandag tirsdag onsdag torsdag fredag lørdag søndag jan feb mar apr jun jul aug sep okt nov dec man tirs ons tors fre lør søn",
  nb: "januar februar mars april mai juni juli august september oktober november desember mandag tirsdag onsdag torsdag fredag lørdag søndag jan feb apr aug sep okt nov des man tir ons tor fre lør søn",
  fi: "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai ma ti ke to pe la su",
  id: "januari februari maret april mei juni juli agustus september oktober november desember senin selasa rabu kamis jumat sabtu minggu jan feb mar apr jun jul agu sep okt nov des sen sel rab kam jum sab min",
  hu: "január február március április május június július augusztus szeptember október november december hétfő kedd szerda csütörtök péntek szombat vasárnap jan febr márc ápr máj jún júl aug szept okt nov dec h k sze cs p szo v",
  ro: "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie luni marți miercuri joi vineri sâmbătă duminică ian feb mar apr iun iul aug sept oct nov dec lun mie vin sâm dum",
  el: "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ δευ τρί τετ πέμ παρ σάβ κυρ",
};

/** The supported languages, ISO 639-1. */
export const CALENDAR_LANGUAGES: readonly string[] = Object.keys(CALENDAR);

/** The words of all languages. */
export const CALENDAR_WORDS: ReadonlySet<string> = new Set(Object.values(CALENDAR).flatMap((words) => words.split(" ")));

/** The names of the twelve months in each language. Spanish and Portuguese begin with "de". */
export const CALENDAR_MONTHS: readonly (readonly string[])[] = Object.values(CALENDAR).map((words) =>
  words
    .split(" ")
    .filter((word) => word !== "de")
    .slice(0, 12),
);
