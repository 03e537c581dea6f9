/** Words behind a number that name its unit, with the words of attribute names that they go with. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  cm: ['cm', 'height', 'length', 'width', 'depth'],
  centimeters: ['cm', 'height', 'length', 'width'],
  mm: ['mm', 'length', 'width'],
  m: ['m', 'height', 'length', 'depth', 'altitude', 'elevation'],
  meters: ['m', 'height', 'length', 'depth', 'altitude', 'elevation', 'distance'],
  metres: ['m', 'height', 'length', 'depth', 'altitude', 'elevation', 'distance'],
  km: ['km', 'distance', 'length'],
  kilometers: ['km', 'distance', 'length'],
  miles: ['mile', 'distance', 'length', 'mileage'],
  feet: ['ft', 'foot', 'height', 'length', 'altitude', 'elevation'],
  kg: ['kg', 'weight', 'mass'],
  kilograms: ['kg', 'weight', 'mass'],
  pounds: ['lb', 'pound', 'weight', 'mass', 'price', 'cost'],
  g: ['g', 'gram', 'weight', 'mass'],
  grams: ['g', 'gram', 'weight', 'mass'],
  seconds: ['second', 'sec', 'duration', 'length'],
  minutes: ['minute', 'min', 'duration', 'length'],
  hour: ['hour', 'hrs', 'duration', 'length'],
  hours: ['hour', 'hrs', 'duration', 'length'],
  days: ['day', 'duration'],
  milliseconds: ['millisecond', 'ms', 'duration', 'length'],
  bytes: ['byte', 'size'],
  years: ['year', 'age', 'duration'],
  'years old': ['age'],
  'years of age': ['age'],
  // A rate or a discount may be stored as 10 or as 0.1.
  '%': ['percent', 'percentage', 'pct'],
  percent: ['percent', 'percentage', 'pct'],
  dollars: ['price', 'cost', 'amount', 'total', 'fee', 'salary', 'usd', 'dollar', 'pay', 'budget', 'revenue'],
  euros: ['price', 'cost', 'amount', 'total', 'fee', 'salary', 'eur', 'euro', 'pay', 'budget', 'revenue'],
  usd: ['price', 'cost', 'amount', 'total', 'fee', 'salary', 'usd', 'dollar'],
  $: [
    'price',
    'cost',
    'amount',
    'total',
    'fee',
    'salary',
    'usd',
    'dollar',
    'pay',
    'budget',
    'revenue',
    'sale',
    'bonus',
  ],
};

/** The words of attribute names that a unit goes with; undefined for a word that is no unit. */
export function unitNouns(unit: string): readonly string[] | undefined {
  return Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
}

/** All units, for the grammar. */
export const UNIT_PHRASES: readonly string[] = Object.keys(UNITS);
