import { attributeId, type Catalog, finishCatalog, relationId } from '@askema/core';
import { pick, seededRandom } from '../values/random.ts';

const COLUMNS = 30;
const SERIES = 40;
const WORDS =
  'account amount area balance city code count country customer date day delivery district event id item key label latitude longitude month name number order owner parent phone price product quantity rate region sale score segment shop source state status store street supplier tax time total type unit user value vendor week weight year'.split(
    ' ',
  );
const TYPES = ['VARCHAR', 'NUMBER', 'FLOAT', 'DATE', 'BOOLEAN'];

/**
 * A catalog of one schema with so many relations: a third days of a series, a third years of 40 others, a third unlike.
 * The same one every time.
 */
export function makeCatalog(relations: number): Catalog {
  const random = seededRandom(relations);
  const columns = (prefix: string, count = COLUMNS): readonly Column[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `${prefix}${pick(WORDS, random)}_${pick(WORDS, random)}_${at}`,
      type: pick(TYPES, random),
    }));
  const daily = columns('');
  const later: readonly Column[] = [...daily, { name: 'added_later', type: 'VARCHAR' }];
  const yearly = Array.from({ length: SERIES }, () => columns(''));
  const tables = Array.from({ length: relations }, (_, at): Table => {
    const number = Math.floor(at / 3);
    if (at % 3 === 0) return { name: `EVENTS_${day(number)}`, columns: number % 10 === 9 ? later : daily };
    if (at % 3 === 1)
      return {
        name: `SURVEY_${letters(number % SERIES)}_${1_900 + Math.floor(number / SERIES)}`,
        columns: yearly[number % SERIES] ?? daily,
      };
    return { name: `${pick(WORDS, random)}_${pick(WORDS, random)}_${letters(number)}`, columns: columns('') };
  });
  return toCatalog(tables);
}

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

const day = (number: number): string =>
  new Date(Date.UTC(2015, 0, 1 + number)).toISOString().slice(0, 10).replaceAll('-', '');

const letters = (number: number): string =>
  [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

function toCatalog(tables: readonly Table[]): Catalog {
  const withIds = tables.map((table) => ({ ...table, id: relationId(['BENCH', 'PUBLIC', table.name]) }));
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'snowflake',
    name: 'bench',
    nameComparison: 'sensitive',
    schema: {
      relations: withIds.map(({ id, name }) => ({ id, name })),
      attributes: withIds.flatMap(({ id, columns }) =>
        columns.map(({ name }) => ({ id: attributeId(id, name), relation: id, name, type: 'TEXT' as const })),
      ),
      primaryKeys: [],
      foreignKeys: [],
      domainConstraints: [],
    },
    relations: Object.fromEntries(
      withIds.map(({ id, name }) => [
        id,
        { nameParts: { database: 'BENCH', schema: 'PUBLIC', relation: name }, kind: 'table' as const },
      ]),
    ),
    attributes: Object.fromEntries(
      withIds.flatMap(({ id, columns }) =>
        columns.map(({ name, type }, at) => [attributeId(id, name), { position: at + 1, nativeType: type }]),
      ),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
  });
}
