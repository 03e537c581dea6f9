import type { EntitySet } from '../model/index.ts';
import { foldedName } from './name-lookup.ts';

/** How names of keys end, in their folded form; longer ones first, so that the stem is what is left. */
export const KEY_ENDINGS = [
  'identifier',
  'identification',
  'number',
  'code',
  'no.',
  'id',
  'no',
  '#',
  '标识符',
  '标识',
  '编号',
  '编码',
  '代码',
  '号码',
  '号',
] as const;

/** Names of keys that do not end like one. */
const KEY_WORDS: ReadonlySet<string> = new Set([
  'isbn',
  'issn',
  'sku',
  'vin',
  'ean',
  'imei',
  'uuid',
  'guid',
  'doi',
  'barcode',
  'ssn',
  'iban',
]);

/** Names that mean nothing outside of their own set, so that a foreign key needs the name of the set before them. */
const BARE_NAMES: ReadonlySet<string> = new Set([
  ...[
    'id',
    'no',
    'no.',
    'number',
    'code',
    'identifier',
    'name',
    'title',
    'key',
    'type',
    'label',
    'date',
    'time',
    'year',
    'month',
  ],
  ...['status', 'description', 'level', 'value', 'kind', 'category', '#', 'uuid', 'guid', 'fullname'],
  ...['编号', '编码', '代码', '号', '号码', '名称', '名字', '姓名', '标题', '标识', '类型', '日期', '时间', '状态'],
]);

/** True for `ID`, `Name`, `编号`: names that need the name of their set where they stand elsewhere. */
export function isBareName(name: string): boolean {
  return BARE_NAMES.has(foldedName(name));
}

/**
 * What stands before the ending of numbers and codes that people are reached by or write on letters, not identified by.
 */
const CONTACT_STEMS: ReadonlySet<string> = new Set([
  ...['phone', 'telephone', 'mobile', 'mobilephone', 'cell', 'contact', 'contactphone', 'fax', 'house', 'street'],
  ...[
    'postal',
    'post',
    'zip',
    'area',
    'country',
    'verification',
    'discount',
    'promo',
    'qr',
    'source',
    'error',
    'dress',
  ],
  ...['手机', '电话', '联系', '传真', '邮政', '邮', '信', '符', '口', '型', '门牌', '验证', '二维', '源', '称', '型'],
]);

/**
 * What stands before the ending of a key: `Customer ID` gives `customer`, `ID` an empty text, `Price` and
 * `Phone Number` undefined. A Latin stem before `id` or `no` must show where it ends: `orderId` does, `paid` and
 * `casino` do not.
 */
export function keyStem(name: string): string | undefined {
  const folded = foldedName(name);
  const ending = KEY_ENDINGS.find((one) => folded.endsWith(one));
  if (ending === undefined) return undefined;
  const stem = folded.slice(0, -ending.length);
  if (CONTACT_STEMS.has(stem)) return undefined;
  const short = ending === 'id' || ending === 'no';
  return short && /[a-z]$/.test(stem) && !showsBorder(name) ? undefined : stem;
}

function showsBorder(name: string): boolean {
  const spaced = name.trim().replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return /[\s_-](?:id|no)$/iu.test(spaced);
}

/** True for names that read like identifiers: `Order No`, `ISBN`, `学号`. */
export function isKeyName(name: string): boolean {
  return KEY_WORDS.has(foldedName(name)) || keyStem(name) !== undefined;
}

/**
 * How surely an attribute of that name is the key of an entity set: 3 where it says so (`Customer ID` of `Customer`), 2
 * for a bare one of its own (`ID`) or one that names a part of it (`Item No` of `Order Item`), 1 for its first
 * attribute where it reads like a key, else 0.
 */
export function keyRank(entity: EntitySet, attribute: string): number {
  const folded = foldedName(attribute);
  const name = foldedName(entity.name);
  if (namesKeyOf(folded, name)) return 3;
  const own = entity.attributes.some((other) => foldedName(other) === folded);
  if (!own) return 0;
  const stem = keyStem(attribute);
  if (stem === '') return 2;
  if (stem !== undefined && stem.length > 1 && name.endsWith(stem)) return 2;
  const [first] = entity.attributes;
  return first !== undefined && foldedName(first) === folded && isKeyName(attribute) ? 1 : 0;
}

/** True for `customerid` of `customer` or `customers`. */
function namesKeyOf(attribute: string, entity: string): boolean {
  const stems = entity.endsWith('s') ? [entity, entity.slice(0, -1)] : [entity];
  return stems.some(
    (stem) => stem !== '' && attribute.startsWith(stem) && KEY_ENDINGS.some((ending) => attribute === stem + ending),
  );
}

/** The attributes of an entity set that read like its key, surest first. */
export function keyLikeAttributes(entity: EntitySet): readonly string[] {
  const ranked = entity.attributes.map((attribute) => ({ attribute, rank: keyRank(entity, attribute) }));
  const best = Math.max(0, ...ranked.map(({ rank }) => rank));
  return best === 0 ? [] : ranked.filter(({ rank }) => rank === best).map(({ attribute }) => attribute);
}
