/** Notes as somebody types them: id, title, text. */
export const NOTES: readonly (readonly [id: string, title: string, text: string])[] = [
  [
    "boiler",
    "Boiler",
    "Engineer came on 4 March and changed the diverter valve. He wants to see it again in twelve months. The pressure should sit at 1.4 bar when cold; if it drops below one, open the grey tap under the cupboard until the needle is back. Invoice was 186 euros, paid by card.",
  ],
  [
    "router",
    "Router at home",
    "Admin page is on 192.168.7.1, user is house. The guest network is called Gooseberry and its password hangs on the fridge. If the light at the front turns amber, pull the plug, count to thirty and put it back.",
  ],
  [
    "launch-old",
    "Launch date",
    "We agreed with the distributor that the Kestrel sensor goes on sale on 14 May. Press samples leave the week before.",
  ],
  [
    "launch-new",
    "Launch date, changed",
    "Correction to the earlier note: the Kestrel sensor now goes on sale on 3 June, because the certificate for the radio part is late. Press samples still leave the week before.",
  ],
  [
    "piano",
    "Piano lessons",
    "Mrs Adeyemi teaches on Tuesdays from five to quarter to six. She charges 32 for each lesson and wants a day's notice when we can't come. Next piece is the little waltz in A minor.",
  ],
  [
    "car",
    "Car papers",
    "The insurance runs out on the last day of September. Garage said the front brake pads will do another 8,000 kilometres. Tyres for winter are stored at Lindqvist, shelf 41.",
  ],
  [
    "passport",
    "Passports",
    "Mine is good until 2031, Noor's ends in February next year. The office takes six weeks in spring. Photos must be younger than six months and glasses have to come off.",
  ],
  [
    "allergy",
    "Guests on Saturday",
    "Bram can't have walnuts, not even traces. Hanne eats no meat but fish is fine. Old Mr Okafor asked for a chair with arms.",
  ],
  [
    "seeds",
    "What to sow when",
    "Broad beans go out in late February under fleece. Tomatoes start indoors around the middle of March and move outside after the ice saints. Leeks need the seed bed empty by April.",
  ],
  [
    "sourdough",
    "Starter",
    "Keep the jar in the door of the fridge and give it fifty grams of rye and as much water every nine days. A grey liquid on top is only hunger; pour it off. Pink streaks mean throw it away.",
  ],
  [
    "gym",
    "Gym contract",
    "Monthly fee went up to 39.90 in January. To leave you have to write by letter, three months ahead of the end of the year. The locker deposit of ten comes back in cash.",
  ],
  [
    "bike",
    "Bicycle service",
    "Chain was stretched, so the shop put on a new one together with the cassette. Next look at the hydraulic brakes in autumn. Frame number ends in 7742, written down for the police register.",
  ],
  [
    "book-club",
    "Reading group",
    "We meet on the first Thursday of the month at Ilse's. For November everybody reads The Salt Cellar by Maren Holt; December is poems that people bring along.",
  ],
  [
    "wifi-train",
    "Trains to the coast",
    "The 7:12 from platform 4 has no change. All later ones stop in Harnby for twenty minutes. With the rail card the return costs 27.50 off peak.",
  ],
  [
    "dentist",
    "Dentist",
    "Crown on the lower left broke again. Dr Petrosyan suggests ceramic, about 640 of which the insurance gives back half. No hard nuts until then.",
  ],
  [
    "budget",
    "Household money",
    "Groceries came to 612 last month, far over the 500 we wanted. Biggest surprise was the dishwasher part. We put 200 aside for the roof each month from now on.",
  ],
  [
    "vet",
    "Cat",
    "Pepper weighs 5.8 kilos and should lose one. The vet gave drops against fleas, one pipette every five weeks between the shoulders. The next jab is due in August.",
  ],
  [
    "tax",
    "Tax return",
    "Frau Demir needs the rent receipts and the statement from the bank before the end of May. She can file for an extension until September, but only if we ask before the deadline has passed.",
  ],
  [
    "loan-key",
    "Who has our keys",
    "Spare front door key: neighbour Tomasz on the second floor. Cellar key: in the blue tin behind the flour. The garage opens with the code that is our wedding year backwards.",
  ],
  [
    "paint",
    "Wall colours",
    "Hall is Oyster 204, two coats. Children's room is Meadow 88 mixed one to one with white. The left-over tin stands in the shed and should be used up before frost.",
  ],
  [
    "running",
    "Half marathon plan",
    "Long run on Sunday grows by two kilometres each week until nineteen. Wednesdays are for hills. The week before the race only three easy outings, none over six.",
  ],
  [
    "camera",
    "Camera settings for the lake",
    "At dusk I got the best pictures with the 35 lens wide open, a shutter of one sixtieth and ISO 1600. Turn off the stabiliser on the tripod, it makes things worse.",
  ],
  [
    "wedding",
    "Speech for Lena",
    "Start with the story of the lost canoe, then thank her parents. Keep it below four minutes. Do not mention Portugal.",
  ],
  [
    "server",
    "Small server in the cellar",
    "Backups run at half past two at night and go to the disk with the green label. Restoring was last tried in June and took 48 minutes. The certificate renews by itself through the proxy.",
  ],
  [
    "okr",
    "Goals for the third quarter",
    "One: returns of the Kestrel below two percent. Two: answer support mail within a working day. Three: hire a second firmware engineer before October.",
  ],
  [
    "supplier",
    "Call with Brightwell",
    "They raise the price of the enclosure to 4.15 apiece from August but keep 3.80 if we order ten thousand at once. Lead time is nine weeks. Contact is now Ayumi Sato.",
  ],
  [
    "supplier-2",
    "Brightwell, prices again",
    "Mail from Ayumi Sato: the enclosure stays at 3.80 apiece until the end of the year after all, whatever the quantity. Lead time is still nine weeks.",
  ],
  [
    "interview",
    "Interview notes: firmware role",
    "Second candidate, Jonas Weidner, knows low power radio very well and wrote the bootloader at his last place. Weak on testing. Wants to work four days. Everybody said yes.",
  ],
  [
    "office-plants",
    "Plants in the office",
    "The fern by the printer drinks a litre every second day; the cactus a glass a month. Wiebke does it while I am away from the 9th to the 20th.",
  ],
  [
    "incident",
    "What happened on Friday",
    "The gateway in Tromsø lost its connection at 16:05 because the certificate had expired. Readings were kept on the devices and came in after the renewal at 18:40, so nothing was lost. We add an alarm twenty days ahead.",
  ],
  [
    "shipping",
    "Parcel rules",
    "Lithium cells over 100 watt-hours may not go by air. Below that we need label UN3481 on the box. The courier collects at ten and at three.",
  ],
  [
    "colour-names",
    "Names for the housing colours",
    "Marketing chose Slate, Foam and Rowan. Rowan replaces Brick, which sounded too heavy. The German shop keeps the English words.",
  ],
  [
    "password",
    "Alarm system",
    "Arm it with the long press on the house symbol. When it goes off by mistake, ring the control room within ninety seconds and say the word Marzipan.",
  ],
  [
    "holiday-1",
    "Summer house",
    "The landlord is called Aurelio and waits at the bakery with the keys. Deposit of 300 in cash. The boat may be used but the motor stays off after nine in the evening.",
  ],
  [
    "holiday-2",
    "Packing for the mountains",
    "Two thin jumpers beat one thick one. Water tablets, the small stove, no gas cartridges on the bus. Hut opens on 20 June and wants its own sleeping sheet.",
  ],
  [
    "school",
    "School start",
    "First day is Monday the 2nd at half past eight in the gym hall. They need indoor shoes, a pencil case without glitter and the yellow form. Lunch is paid through the card.",
  ],
  [
    "choir",
    "Choir",
    "Rehearsal moved from Wednesday to Monday because the hall has a new floor. For the spring concert the altos learn the Duruflé by heart. White top, black trousers.",
  ],
  [
    "bees",
    "Hives",
    "Second colony swarmed on 22 May; caught it in the plum tree. Took off 14 kilos of honey from the first. Treat against mites right after the last harvest, not before.",
  ],
  [
    "roof",
    "Roof offer",
    "Three firms looked at it. Halvorsen wants 11,400 and can start in April, the cheapest wants 9,900 but has no date before winter. Scaffolding is included only with Halvorsen.",
  ],
  [
    "meds",
    "Granddad's tablets",
    "White one in the morning before food, two of the yellow ones at night. No grapefruit. When the ankle swells again call Dr Lund, not the emergency line.",
  ],
  [
    "recycling",
    "Bins",
    "Paper goes out on even weeks, glass is brought to the station by the church. Garden waste is collected on Fridays from April to November. Batteries back to the shop.",
  ],
  [
    "domain",
    "Domain names",
    "kestrel-sensor.example is paid until March 2028. The old one forwards and may lapse. Registrar login is in the safe of the team under Halden.",
  ],
  [
    "allotment",
    "Allotment rules",
    "Hedges no higher than 1.25 metres. Fires only from October to February. Water is turned off on the first of November and costs 1.90 a cubic metre.",
  ],
  [
    "guitar",
    "Guitar",
    "Put on 11 to 49 strings, tuned half a step down. Action at the twelfth fret is 1.9 millimetres now. The buzz on the D came from the nut, not from the neck.",
  ],
  [
    "quote",
    "A thought worth keeping",
    "A tool that needs a manual to be put down safely is too sharp for a kitchen. Heard from Esi on the ferry; use it for the talk on interfaces.",
  ],
];
