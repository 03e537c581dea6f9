import { type Chance, textsOf } from './chance.ts';
import { tableOf } from './definitions.ts';

const day = (chance: Chance): string =>
  `202${chance.oneOf([3, 4, 5])}-${String(1 + chance.below(12)).padStart(2, '0')}-${String(1 + chance.below(28)).padStart(2, '0')}`;

/** What somebody wants to know that day. */
export function asked(
  table: string,
  taken: string,
  own: (name: string) => string,
  isTimed: boolean,
  chance: Chance,
): string[] {
  const { time } = tableOf(table);
  const found = chance.is(0.2) ? cutBy(table, own, taken, chance) : [];
  if (time === undefined || !(isTimed || chance.is(0.5))) return found;
  const column = own(time);
  const year = `202${chance.oneOf([3, 4, 5])}`;
  return [
    ...found,
    chance.oneOf([
      `${column} >= '${year}-01-01' AND ${column} < '${Number(year) + 1}-01-01'`,
      `${column} BETWEEN '${day(chance)}' AND '${day(chance)}'`,
      `EXTRACT(YEAR FROM ${column}) = ${year}`,
      `${column} >= DATE '${day(chance)}'`,
      `date_trunc('month', ${column}) = '${year}-0${1 + chance.below(9)}-01'::date`,
      `${column} > CURRENT_DATE - INTERVAL '${chance.oneOf([7, 30, 90, 180])} days'`,
      `${column}::date = '${day(chance)}'`,
      `to_char(${column}, 'YYYY') = '${year}'`,
    ]),
  ];
}

export function cutBy(table: string, column: (name: string) => string, taken: string, chance: Chance): string[] {
  const cuts = tableOf(table).cuts.filter((name) => !taken.includes(`[${name}]`));
  if (cuts.length === 0) return [];
  const cut = chance.oneOf(cuts);
  const values = chance.shuffled(textsOf(table, cut)).map((value) => `'${value}'`);
  return [
    chance.oneOf([
      `${column(cut)} = ${values[0]}`,
      `${column(cut)} IN (${values.slice(0, 2).join(', ')})`,
      `${column(cut)} <> ${values[0]}`,
      `lower(${column(cut)}) = lower(${values[0]})`,
    ]),
  ];
}
