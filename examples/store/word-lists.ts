/** The raw material of the sample store. People, firms and products are made up. */

function words(list: string): string[] {
  return list.split(', ');
}

export const FIRST_NAMES = words(
  'Ada, Alejandro, Amara, Anouk, Bastian, Beatriz, Björn, Camille, Chiara, Dario, Eilidh, Elif, Emre, Esther, Fatima, Femke, Gabriel, Greta, Hannah, Hiroshi, Ines, Ivo, Jana, João, Kaito, Katarzyna, Lars, Leila, Linnea, Łukasz, Maeve, Marek, Mateo, Mei, Nadia, Noor, Oskar, Paolo, Priya, Rafael, Renée, Ruben, Saoirse, Selma, Søren, Tadeusz, Tamar, Thomas, Uma, Viktor, Wanda, Xavier, Yusuf, Zoë',
);

export const LAST_NAMES = words(
  "Abbott, Adeyemi, Alvarez, Andersen, Baumann, Bianchi, Blackwood, Castellano, Chen, Costa, Dahl, Delacroix, Demir, Eriksson, Ferrari, Fischer, Fontaine, García, Grabowski, Haddad, Hartmann, Hughes, Ibrahim, Jansen, Kowalski, Krüger, Laurent, Lindqvist, Marchetti, Mbeki, Moreau, Müller, Nakamura, O'Brien, Okafor, Olsen, Papadakis, Pereira, Quinn, Rahman, Rossi, Sato, Schneider, Silva, Tanaka, Turner, Ünal, van Dijk, Vargas, Weber, Wright, Yılmaz, Zając",
);

/** Each with its country. */
export const CITIES: readonly (readonly [city: string, country: string])[] = words(
  'Berlin/Germany, Hamburg/Germany, München/Germany, Paris/France, Lyon/France, Nantes/France, Madrid/Spain, Sevilla/Spain, Lisbon/Portugal, Porto/Portugal, Milan/Italy, Bologna/Italy, Amsterdam/Netherlands, Utrecht/Netherlands, Copenhagen/Denmark, Malmö/Sweden, Oslo/Norway, Kraków/Poland, Warsaw/Poland, Zürich/Switzerland, Dublin/Ireland, Edinburgh/United Kingdom, London/United Kingdom, Athens/Greece',
).map((entry) => {
  const [city = '', country = ''] = entry.split('/');
  return [city, country];
});

/** What is sold, its usual price and its weight in kilograms. */
type Article = readonly [name: string, price: number, weight: number];

/** A category, its parent, and what it sells. */
export interface CategorySeed {
  readonly name: string;
  readonly parent?: string;
  readonly articles: readonly Article[];
}

const articles = (list: string): Article[] =>
  list.split(', ').map((entry) => {
    const [, name = '', price, weight] = /^(.+) (\S+) (\S+)$/.exec(entry) ?? [];
    return [name, Number(price), Number(weight)];
  });

export const CATEGORIES: readonly CategorySeed[] = [
  { name: 'Home', articles: [] },
  { name: 'Outdoor', articles: [] },
  { name: 'Office', articles: [] },
  {
    name: 'Kitchen',
    parent: 'Home',
    articles: articles(
      'Kettle 54 1.4, Chopping Board 28 1.9, Skillet 62 2.3, Coffee Grinder 79 1.1, Mixing Bowl 19 0.8, Spice Rack 34 1.2, Teapot 41 0.9, Bread Knife 26 0.3',
    ),
  },
  {
    name: 'Lighting',
    parent: 'Home',
    articles: articles(
      'Table Lamp 68 1.8, Floor Lamp 145 6.5, Pendant Light 120 2.6, Candle Holder 17 0.4, Reading Light 39 0.6, Night Light 15 0.2',
    ),
  },
  {
    name: 'Textiles',
    parent: 'Home',
    articles: articles(
      'Wool Blanket 92 1.6, Linen Cushion 29 0.7, Bath Towel 22 0.6, Curtain 58 1.5, Rug 165 7.5, Duvet Cover 74 1.3',
    ),
  },
  {
    name: 'Furniture',
    parent: 'Home',
    articles: articles(
      'Armchair 390 19, Side Table 110 6, Bookshelf 240 28, Stool 65 4, Bench 185 14, Chest of Drawers 340 35',
    ),
  },
  {
    name: 'Garden',
    parent: 'Outdoor',
    articles: articles(
      'Watering Can 27 1.1, Plant Pot 16 2.4, Pruning Shears 33 0.4, Hammock 84 2.1, Bird Feeder 24 0.7, Garden Trowel 12 0.3',
    ),
  },
  {
    name: 'Camping',
    parent: 'Outdoor',
    articles: articles(
      'Tent 280 4.2, Sleeping Bag 135 1.7, Camp Stove 72 1.1, Headlamp 38 0.2, Water Bottle 21 0.3, Rucksack 118 1.9',
    ),
  },
  {
    name: 'Cycling',
    parent: 'Outdoor',
    articles: articles('Bicycle Bell 11 0.1, Pannier 66 1.2, Helmet 89 0.4, Tyre Pump 31 0.9, Repair Kit 14 0.2'),
  },
  {
    name: 'Stationery',
    parent: 'Office',
    articles: articles(
      'Notebook 9 0.3, Fountain Pen 48 0.1, Desk Organiser 32 0.9, Wall Calendar 18 0.5, Letter Opener 13 0.1',
    ),
  },
  {
    name: 'Desks',
    parent: 'Office',
    articles: articles('Writing Desk 320 26, Standing Desk 495 38, Monitor Stand 44 2.2, Footrest 36 1.6'),
  },
];

export const PRODUCT_LINES = [
  'Fjord',
  'Juniper',
  'Harbour',
  'Café',
  'Meadow',
  'Nordlys',
  'Orchard',
  'Slate',
  'Willow',
  'Zephyr',
];

export const SUPPLIERS = [
  'Alder & Finch',
  'Atelier Rivière',
  'Brightwater Goods',
  'Casa Lume',
  'Drumlin Works',
  'Eisvogel Manufaktur',
  'Foxglove Trading',
  'Grønvej Design',
  'Hollow Oak Mills',
  'Kiln & Kettle',
  'Lumen Østby',
  'Montserra Textil',
  'Pine Ridge Supply',
  'Tessuto Blu',
];

export const JOBS: readonly (readonly [title: string, department: string, manager: number | null, salary: number])[] = [
  ['Managing Director', 'Management', null, 118_000],
  ['Head of Sales', 'Sales', 1, 84_000],
  ['Head of Support', 'Support', 1, 76_000],
  ['Head of Logistics', 'Logistics', 1, 79_500],
  ['Sales Representative', 'Sales', 2, 47_500],
  ['Sales Representative', 'Sales', 2, 46_000],
  ['Sales Representative', 'Sales', 2, 49_000],
  ['Key Account Manager', 'Sales', 2, 61_000],
  ['Support Agent', 'Support', 3, 38_500],
  ['Support Agent', 'Support', 3, 37_000],
  ['Support Agent', 'Support', 3, 39_500],
  ['Support Agent', 'Support', 3, 36_500],
  ['Senior Support Agent', 'Support', 3, 44_000],
  ['Warehouse Clerk', 'Logistics', 4, 34_000],
  ['Warehouse Clerk', 'Logistics', 4, 33_500],
  ['Dispatcher', 'Logistics', 4, 41_000],
];

/** Comments of reviews by rating, from 1 to 5. */
export const REVIEW_COMMENTS: readonly (readonly string[])[] = [
  ['Broke within a week.', 'Arrived damaged, very disappointed.', 'Leider unbrauchbar.'],
  ['Not as sturdy as it looks.', 'The colour is far off the photo.', 'Trop cher pour la qualité.'],
  ['Does what it should, nothing more.', 'Fine for the price.', 'Está bien, sin más.'],
  ['Well made, delivery took a while.', 'Pretty and practical.', 'Sehr schön, gerne wieder.'],
  [
    'Exactly what I was looking for!',
    'Lovely quality, would buy again.',
    'Magnifique, je recommande.',
    'とても気に入りました。',
    'Perfect gift 🎁',
  ],
];

export const RETURN_REASONS = ['damaged in transit', 'wrong size', 'wrong article', 'changed my mind', 'defective'];

export const TICKET_SUBJECTS = [
  'Where is my order?',
  'Change of delivery address',
  'Invoice is missing',
  'Part is missing',
  'How do I return an article?',
  'Discount code does not work',
  'Payment was charged twice',
  'Question about a product',
  'Cannot sign in',
  'Please cancel my order',
];
