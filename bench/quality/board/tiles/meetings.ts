/** Transcripts of calls: id, title, what was said in turns that matter. What is said between them is composed. */
export const MEETINGS: readonly (readonly [id: string, title: string, turns: readonly string[]])[] = [
  [
    "m-standup-1",
    "Stand-up, Monday",
    [
      "Rosa: The battery test ended last night, we got to 23 days on one charge with a reading every minute.",
      "Imre: I am still stuck on the pairing bug, it only shows up on phones that run the older system.",
      "Rosa: I can lend you mine, it is the old model.",
    ],
  ],
  [
    "m-standup-2",
    "Stand-up, Thursday",
    [
      "Imre: Pairing works now. The phone threw away the address after a nap, so we ask for it again.",
      "Wiebke: The printer for the labels is broken and the new one arrives on Tuesday.",
    ],
  ],
  [
    "m-pricing",
    "Pricing workshop",
    [
      "Dana: If we sell it at 79 the shops keep too little, so I would go to 89 and give a bundle of three for 239.",
      "Pavel: Our competitor is at 95 without a display.",
      "Dana: Then it is settled, eighty-nine and the bundle. We look at it again after the holidays.",
    ],
  ],
  [
    "m-design",
    "Design review of the app",
    [
      "Mei: People did not find the history because it sits behind the gear icon. In the test only two out of eleven got there.",
      "Dana: Put it on the first screen as a small curve.",
      "Mei: Then the battery symbol has to go to the settings.",
    ],
  ],
  [
    "m-support",
    "Support round table",
    [
      "Wiebke: Most tickets last month were about the mounting clip that snaps in the cold.",
      "Pavel: The new clip is made of nylon with glass fibre and goes into boxes from week 31.",
      "Wiebke: Until then I send a spare one to everybody who asks, free of charge.",
    ],
  ],
  [
    "m-board",
    "Board meeting",
    [
      "Chair: The lease for the hall ends next summer and the owner asks for 18 percent more.",
      "Treasurer: We have 42,300 in reserve, that carries us for fourteen months.",
      "Chair: Then we vote: seven in favour of looking for another place, two against.",
    ],
  ],
  [
    "m-parents",
    "Parents' evening",
    [
      "Teacher: The class trip goes to the salt mine, three days in the second week of June.",
      "Parent: What does it cost?",
      "Teacher: 145 for each child, and the fund helps anyone who tells me before Easter.",
    ],
  ],
  [
    "m-retro",
    "Looking back at the spring release",
    [
      "Imre: We froze too late. Four fixes went in on the last day and one of them broke the export.",
      "Rosa: Next time nothing is merged after Wednesday noon unless two people have looked.",
      "Imre: And somebody tries the export by hand.",
    ],
  ],
  [
    "m-lab",
    "Visit at the test laboratory",
    [
      "Engineer: The emission at 868 megahertz is three decibels over the line when the cable is longer than two metres.",
      "Rosa: So a ferrite near the plug?",
      "Engineer: Yes, that brought it five below in our trial. You get the paper on the 28th.",
    ],
  ],
  [
    "m-village",
    "Village council, open session",
    [
      "Mayor: The bridge at the mill will be closed to lorries from 12 September because two beams are rotten.",
      "Speaker: And the school bus?",
      "Mayor: The bus takes the road by the sawmill, it leaves ten minutes earlier.",
    ],
  ],
  [
    "m-podcast",
    "Episode 48: a keeper of lighthouses",
    [
      "Host: How long were you out there alone?",
      "Guest: The longest stretch was 61 days, the boat could not land because of ice.",
      "Guest: I read the same three novels again and again, and I learnt to knit from a radio programme.",
    ],
  ],
  [
    "m-lecture",
    "Lecture on tides",
    [
      "Lecturer: When sun and moon pull along one line we get spring tides, and that has nothing to do with the season.",
      "Lecturer: In the bay we looked at, the water rises fifteen metres between low and high.",
      "Student: Is that the greatest on earth?",
      "Lecturer: Among the greatest, because the shape of the bay swings along with it.",
    ],
  ],
  [
    "m-sales",
    "Call with the chain of garden shops",
    [
      "Buyer: We would take four hundred pieces for the northern branches if the box has a German leaflet.",
      "Dana: The leaflet is ready, I can send it tomorrow.",
      "Buyer: And payment after sixty days, we do that with all suppliers.",
    ],
  ],
  [
    "m-sailing",
    "Sailing club, planning",
    [
      "Skipper: The regatta is on the last weekend of August, start at eleven off the red buoy.",
      "Secretary: We are short of two people for the rescue boat.",
      "Skipper: Noor has the licence and so does her brother, ask them.",
    ],
  ],
  [
    "m-architect",
    "Kitchen with the architect",
    [
      "Architect: The wall to the pantry is not load bearing, so it can go.",
      "Noor: And the sink under the window?",
      "Architect: Possible, but the drain needs a fall of two percent, that costs you one step in the floor.",
    ],
  ],
  [
    "m-doctor",
    "Talk with the physiotherapist",
    [
      "Therapist: The pain comes from the hip, not from the knee.",
      "Therapist: Do the bridge exercise, three times twelve every other day, and no stairs with a heavy bag for a month.",
    ],
  ],
  [
    "m-hiring",
    "Hiring round",
    [
      "Pavel: We make Jonas an offer of 68 thousand for four days.",
      "Rosa: He starts in August, his notice is three months.",
      "Dana: Fine. And we keep the advert open for the tester.",
    ],
  ],
  [
    "m-security",
    "Security check of the gateway",
    [
      "Auditor: The debug port on the board answers without a password.",
      "Imre: It is only on the samples.",
      "Auditor: Then burn the fuse in production and write it into the checklist, I rate it as high.",
    ],
  ],
  [
    "m-warehouse",
    "Warehouse tour",
    [
      "Guide: The red bins are returns and nobody takes from them before they were scanned.",
      "Guide: We count everything twice a year, in January and in July, and the gates stay shut on those days.",
    ],
  ],
  [
    "m-museum",
    "Guided tour of the clock museum",
    [
      "Guide: This tower clock was built in 1688 by a blacksmith who could not write.",
      "Guide: It loses about four minutes a day, and in summer more, as the iron rod gets longer in the heat.",
    ],
  ],
  [
    "m-translation",
    "Planning translations",
    [
      "Mei: French and Spanish come from the agency, Japanese is done by Ayumi's sister.",
      "Dana: How much?",
      "Mei: The agency takes eleven cents a word, all of it comes to about 900.",
    ],
  ],
  [
    "m-webinar",
    "Webinar: damp in old houses",
    [
      "Expert: In nine of ten cellars the water doesn't come through the wall, it is warm summer air that condenses on cold stone.",
      "Expert: So air at night in July, and keep the windows shut by day.",
      "Expert: A reading above 65 percent for weeks is when mould begins.",
    ],
  ],
  [
    "m-garden",
    "Video: cutting apple trees",
    [
      "Gardener: Never take off more than a quarter of the crown in one winter, or the tree answers with water shoots.",
      "Gardener: Saw from below first, so that the bark doesn't tear.",
      "Gardener: I leave wounds open, the paste only keeps them wet.",
    ],
  ],
  [
    "m-roadmap",
    "Roadmap talk",
    [
      "Pavel: After the Kestrel comes the Merlin, the same thing with a probe for soil.",
      "Rosa: Not before next spring, the probe has to sit in salt water for ninety days.",
      "Dana: Then I leave it out of the catalogue for this year.",
    ],
  ],
  [
    "m-farewell",
    "Farewell of Gunnar",
    [
      "Dana: Gunnar was here for 26 years, he wired the first prototype on a breadboard in his kitchen.",
      "Gunnar: It caught fire twice.",
      "Dana: He gets the bench by the lake that he always talked about.",
    ],
  ],
];
