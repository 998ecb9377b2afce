/** Recipes: id, title, ingredients, steps. */
export const RECIPES: readonly (readonly [id: string, title: string, ingredients: readonly string[], steps: readonly string[]])[] = [
  [
    "r-lentil",
    "Red lentil soup",
    ["300 g red lentils", "1 l vegetable stock", "2 carrots", "1 tsp cumin", "juice of a lemon"],
    [
      "Sweat the carrots with the cumin for five minutes.",
      "Add lentils and stock and simmer for 18 minutes.",
      "Blend half of it and stir in the lemon juice at the very end.",
    ],
  ],
  [
    "r-rye",
    "Rye bread",
    ["500 g wholemeal rye", "400 ml water", "120 g starter", "12 g salt"],
    [
      "Mix everything in the evening and leave it covered for fourteen hours.",
      "Bake at 250 degrees for ten minutes, then at 190 for fifty.",
      "Do not cut it before the next day.",
    ],
  ],
  [
    "r-rye-2",
    "Rye bread, quicker",
    ["500 g wholemeal rye", "420 ml water", "150 g starter", "12 g salt", "a pinch of yeast"],
    [
      "Mix everything in the morning and leave it covered for six hours.",
      "Bake at 240 degrees for fifteen minutes, then at 190 for forty-five.",
    ],
  ],
  [
    "r-apple",
    "Apple cake of the neighbours",
    ["4 sour apples", "200 g butter", "180 g sugar", "3 eggs", "250 g flour"],
    [
      "Beat butter and sugar until white.",
      "Fold in the eggs one by one, then the flour.",
      "Press the slices in upright and bake for 45 minutes at 175 degrees.",
    ],
  ],
  [
    "r-pickle",
    "Cucumbers in brine",
    ["2 kg small cucumbers", "60 g salt", "dill", "2 vine leaves"],
    [
      "Dissolve the salt in two litres of water.",
      "Weigh the cucumbers down so that nothing sticks out.",
      "They are sour after nine days at room temperature. The vine leaves keep them crisp.",
    ],
  ],
  [
    "r-curry",
    "Chickpea curry",
    ["2 tins chickpeas", "1 tin coconut milk", "3 tomatoes", "thumb of ginger", "2 tsp garam masala"],
    [
      "Fry ginger and spice until it smells.",
      "Add tomatoes and cook them down for ten minutes.",
      "Pour in coconut milk and chickpeas and leave on low heat for a quarter of an hour.",
    ],
  ],
  [
    "r-pancake",
    "Pancakes without egg",
    ["200 g flour", "300 ml oat milk", "1 ripe banana", "1 tsp baking powder"],
    [
      "Mash the banana; it does what eggs would do.",
      "Whisk everything and let it rest for twenty minutes.",
      "Fry in little oil on medium heat.",
    ],
  ],
  [
    "r-fish",
    "Fish in paper",
    ["4 fillets of pollock", "1 fennel", "8 olives", "white wine"],
    ["Lay each fillet on fennel, close the parcel tightly.", "Bake for 16 minutes at 200 degrees and open it only at the table."],
  ],
  [
    "r-granola",
    "Granola",
    ["400 g oats", "100 g hazelnuts", "80 g honey", "50 ml oil"],
    [
      "Warm honey and oil, pour over oats and nuts.",
      "Roast at 150 degrees for half an hour and turn it twice.",
      "Dried fruit goes in when it is cold, otherwise it gets hard as stone.",
    ],
  ],
  [
    "r-risotto",
    "Barley risotto",
    ["300 g pearl barley", "1 l stock", "200 g mushrooms", "50 g hard cheese"],
    ["Toast the barley dry, add the stock ladle by ladle.", "It takes 35 minutes and forgives more than rice does."],
  ],
  [
    "r-ice",
    "Lemon sorbet",
    ["4 lemons", "180 g sugar", "300 ml water", "1 egg white"],
    ["Boil water and sugar, let it cool and add the juice.", "Freeze for four hours and stir every thirty minutes with a fork."],
  ],
  [
    "r-dumpling",
    "Bread dumplings",
    ["8 stale rolls", "300 ml milk", "2 eggs", "parsley"],
    [
      "Soak the rolls in warm milk.",
      "Form balls with wet hands and leave them in water that only just moves for 20 minutes; boiling tears them apart.",
    ],
  ],
  [
    "r-stock",
    "Vegetable stock from scraps",
    ["peel and ends of a week", "1 bay leaf", "6 peppercorns"],
    [
      "Collect the scraps in the freezer, but no cabbage, it turns bitter.",
      "Cover with cold water and let it draw for one hour below boiling.",
    ],
  ],
  [
    "r-beans",
    "White bean spread",
    ["1 tin white beans", "2 tbsp tahini", "1 clove of garlic", "rosemary"],
    ["Heat the rosemary in oil and take it out again.", "Blend everything with the oil. It keeps for five days in the cold."],
  ],
  [
    "r-jam",
    "Plum butter",
    ["3 kg plums", "2 sticks of cinnamon", "no sugar"],
    [
      "Stone the plums and leave them in the oven at 160 degrees for five hours, stirring now and then.",
      "Fill into hot jars. It has set when a spoon leaves a furrow.",
    ],
  ],
];
