/** Questions of visitors, by language, each complete on its own. */
export const EVERYDAY_QUESTIONS: Readonly<Record<string, string>> = {
  English: `Is there wifi?|Are there toilets?|Is there a lift?|Where can I park?|Do you sell coffee?|When is lunch?|Can I bring my dog?|Rest days
    First day|Is the museum open on Sunday?|How much is the entrance?|Where is the exit?|Who painted the ceiling?|Is breakfast included?
    Can I pay by card?|Is it possible to park?|What time does the shop close?|What is on in May?|Men's toilets|Do they sell tickets?
    Are dogs allowed?|How far is the station?|Is the tour free?|Which bus goes there?|When is the next ferry?|Last orders|Same day delivery
    Next day|What is there for children?|Where do I collect the key?`,
  German: `Gibt es WLAN?|Gibt es Toiletten?|Gibt es einen Aufzug?|Wo kann ich parken?|Wann öffnet das Museum?|Und wann öffnet das Museum?
    Wo ist der Ausgang?|Was kostet der Eintritt?|Darf ich meinen Hund mitbringen?|Ist das Frühstück dabei?|Wer hat die Decke gemalt?
    Kann ich mit Karte zahlen?|Wann fährt die nächste Fähre?|Wo ist das Meer?|Was ist im Mai los?|Erster Tag|Letzte Woche|Regnet es heute?
    Und wo ist das Museum?|Und gibt es Parkplätze?|Haben Sie Kaffee?|Und haben Sie Kaffee?|Was verkaufen Sie?|Wie weit ist es zum Bahnhof?
    Ist die Führung kostenlos?|Welcher Bus fährt dorthin?|Wann ist Ruhetag?|Ist es am Sonntag offen?|Wie komme ich zum Turm?|Wann öffnen Sie?`,
  French: `Y a-t-il du wifi ?|Où sont les toilettes ?|Y a-t-il un ascenseur ?|Où peut-on se garer ?|C'est combien l'entrée ?|Où est la mer ?
    La piscine, où est-elle ?|Et la piscine, elle est ouverte ?|Ma place est-elle réservée ?|Combien coûte l'entrée ?|Où est la gare ?
    Le musée est-il ouvert le dimanche ?|Qui a peint le plafond ?|Le petit déjeuner est-il compris ?|Puis-je payer par carte ?
    À quelle heure ferme la boutique ?|Jour de l'an|Premier jour|En quelle année a-t-il été construit ?|Les chiens sont-ils admis ?
    Quand part le prochain bac ?|Que faire en mai ?|La visite est gratuite ?|Quel bus prendre ?|Vendez-vous du café ?|Ça coûte combien ?
    Comment venir ?|Où manger ?|Quand est-ce fermé ?|Est-ce loin de la gare ?`,
  Spanish: `¿Hay wifi?|¿Hay baños?|¿Hay ascensor?|¿La entrada cuánto es?|¿Y la entrada cuánto es?|¿En qué mes es la feria?|¿En qué año es?
    ¿Cuánto es la entrada?|¿Dónde está el museo?|¿Dónde se puede aparcar?|¿A qué hora es la visita?|¿Y cuándo es la visita?|¿Quién es la guía?
    ¿Es gratis?|¿Es posible aparcar?|¿Dónde es la fiesta?|¿Cuándo es la cena?|¿Se puede pagar con tarjeta?|Primer día|¿El desayuno es caro?
    ¿Quién pintó el techo?|¿A qué hora abre el museo?|¿Abren los domingos?|¿Se admiten perros?|¿Cuándo sale el próximo barco?|¿Qué hacer?
    ¿Cómo llegar?|¿Venden café?|¿Y dónde es el concierto?|Días de descanso`,
  Italian: `C'è il wifi?|Dove sono i bagni?|C'è un ascensore?|Quanto costa il biglietto?|Dove si parcheggia?|È aperto la domenica?|È gratis?
    È possibile pagare con carta?|Chi ha dipinto il soffitto?|La colazione è inclusa?|A che ora apre il museo?|Quando parte il prossimo traghetto?
    Primo giorno|E il museo dov'è?|E quanto costa il biglietto?|Si possono portare cani?|Cosa fare a maggio?|Dove mangiare?|Quanto è lontana la stazione?
    Come arrivare?|Vendete caffè?|Lei parla inglese?|Quale autobus prendere?|La visita è guidata?|Dov'è l'uscita?|Quando è chiuso?
    È vietato fumare?|Giorni di riposo|Dove comprare i biglietti?|C'è da mangiare?`,
  Portuguese: `Tem wifi?|Onde são os banheiros?|Há elevador?|Quanto custa a entrada?|Onde posso estacionar?|É grátis?|É permitido fumar?
    O museu abre aos domingos?|O banheiro fica onde?|Quem pintou o teto?|O café da manhã está incluído?|Posso pagar com cartão?|Primeiro dia
    A que horas abre o museu?|Quando sai o próximo barco?|São permitidos cães?|O que fazer em maio?|Onde comer?|Como chegar?|Vendem café?
    Qual ônibus devo apanhar?|A visita é guiada?|Onde é a saída?|Qual o horário das visitas?|E quanto custa a entrada?|E onde fica o museu?
    É longe da estação?|Dias de descanso|Onde compro bilhetes?|Qual é a senha?`,
  Dutch: `Is er wifi?|Zijn er toiletten?|Is er een lift?|Is er parkeren?|Was er een gids?|En is er een lift?|Wat is er te doen?|Waar is het meer?
    Waar zijn de toiletten?|Hoeveel kost het?|Wat kost de toegang?|Mag ik mijn hond meenemen?|Is het museum open op zondag?|Eerste dag
    Wie schilderde het plafond?|Is het ontbijt inbegrepen?|Kan ik pinnen?|Wanneer vaart de volgende boot?|Hoe laat sluit de winkel?
    Waar kan ik parkeren?|Zijn er kluisjes?|Waren er prijzen?|En hoe laat opent het museum?|Is er eten?|Hoe ver is het station?|Verkoopt u koffie?
    Welke bus gaat erheen?|Is de rondleiding gratis?|Hoe kom ik er?|Waar is dat café?`,
  Swedish: `Finns det wifi?|Finns det toaletter?|Finns det hiss?|Var är det museet?|Var kan jag parkera?|Vad kostar det?|Är det gratis?
    Är det öppet på söndag?|När öppnar museet?|Och finns det toaletter?|Och när öppnar det museet?|Vem målade taket?|Ingår frukost?
    Kan man betala med kort?|När går nästa färja?|Får man ta med hund?|Hur kommer jag hem?|Första dagen|Var ligger stationen?|Säljer ni kaffe?
    Vilken buss går dit?|Hur långt är det?|Är turen gratis?|Var är utgången?|När är det stängt?|Men var är toaletten?|Var äter man?
    Vad gör man där?|Hur bokar jag?|När serveras lunch?`,
  Danish: `Er der wifi?|Er der toiletter?|Er der en elevator?|Er der toiletter her?|Er museet åbent?|Er der gratis?|Kan man parkere her?
    Må man parkere her?|Hvad koster det?|Hvor er udgangen?|Hvornår åbner museet?|Er det gratis?|Er den åben?|Hvem malede loftet?|Er her wifi?
    Er morgenmad inkluderet?|Kan jeg betale med kort?|Hvornår sejler næste færge?|Må hunde komme med?|Første dag|Hvor ligger stationen?
    Sælger I kaffe?|Sælger I is her?|Hvor langt er der?|Hvor er det museum?|Er der mad?|Og er der wifi?|Men er der wifi?|Hvem er guide?|Hviledage`,
  Norwegian: `Er det wifi her?|Er det toaletter her?|Er det heis?|Er det gratis?|Er museet åpent?|Er det åpent på søndag?|Kan man parkere her?
    Hva koster det?|Hvor er utgangen?|Når åpner museet?|Hvem malte taket?|Er frokost inkludert?|Kan jeg betale med kort?|Når går neste ferge?
    Kan hunder være med?|Første dag|Hvor ligger stasjonen?|Selger dere kaffe?|Selger dere is her?|Hvor langt er det?|Hvilken buss går dit?
    Er omvisningen gratis?|Finnes det mat?|Hva skjer i mai?|Og er det heis?|Men er det heis?|Hvem er guide?|Er den stengt?|Hvordan kommer jeg dit?|Hviledager`,
  Finnish: `Onko täällä wifi?|Onko vessoja?|Onko hissi?|Missä on wc?|Mitä he myyvät?|Paljonko se maksaa?|Missä voi pysäköidä?|Milloin museo avataan?
    Kuka maalasi katon?|Kuuluuko aamiainen hintaan?|Voiko maksaa kortilla?|Milloin seuraava lautta lähtee?|Saako koiran tuoda?|Ensimmäinen päivä
    Missä asema on?|Myyttekö kahvia?|Mikä bussi menee sinne?|Onko kierros ilmainen?|Missä on uloskäynti?|Onko auki sunnuntaina?|Milloin on lounas?
    Kuinka kaukana asema on?|Mitä tehdä?|Missä syödä?|Ja missä museo on?|Entä missä museo on?|Onko se auki?|Onko se ilmainen?|Miten sinne pääsee?|Lepopäivät`,
};
