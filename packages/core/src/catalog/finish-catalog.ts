import { createHash } from 'node:crypto';
import { AskemaError } from '../errors/askema-error.ts';
import type { Catalog } from './catalog.ts';

/** The hash is fed in pieces of about so many characters. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Completes a catalog that an introspector has read: checks that its parts fit together, and adds the fingerprint.
 *
 * @throws AskemaError `SCHEMA_INVALID` when an id is there twice, or a relation or attribute lacks its entry beside the schema.
 */
export function finishCatalog(catalog: Omit<Catalog, 'fingerprint'>): Catalog {
  checkEntries(catalog, 'relations', 'relation');
  checkEntries(catalog, 'attributes', 'attribute');
  return { ...catalog, fingerprint: catalogFingerprint(catalog) };
}

/**
 * SHA-256 over everything in a catalog but its counts, in hexadecimal. The order of keys inside objects and fields that
 * are undefined do not count; the order of relations and attributes does.
 */
export function catalogFingerprint(catalog: Omit<Catalog, 'fingerprint'>): string {
  const hash = createHash('sha256');
  let piece = '';
  const write = (text: string): void => {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) return;
    hash.update(piece);
    piece = '';
  };
  writeCanonical({ ...catalog, fingerprint: undefined, relations: withoutCounts(catalog.relations) }, write);
  return hash.update(piece).digest('hex');
}

/** Counts differ between two looks at one and the same structure. */
function withoutCounts(relations: Catalog['relations']): Catalog['relations'] {
  return Object.fromEntries(
    Object.entries(relations).map(([id, info]) => [
      id,
      { ...info, rowCount: undefined, rowCountExact: undefined, byteCount: undefined },
    ]),
  );
}

function writeCanonical(value: unknown, write: (text: string) => void): void {
  if (value === null || typeof value !== 'object') {
    write(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) {
    write('[');
    for (const item of value) {
      writeCanonical(item, write);
      write(',');
    }
    write(']');
    return;
  }
  const record = value as Readonly<Record<string, unknown>>;
  write('{');
  for (const key of Object.keys(record).sort()) {
    const inner = record[key];
    if (inner === undefined) continue;
    write(`${JSON.stringify(key)}:`);
    writeCanonical(inner, write);
    write(',');
  }
  write('}');
}

function checkEntries(
  catalog: Omit<Catalog, 'fingerprint'>,
  part: 'relations' | 'attributes',
  what: 'relation' | 'attribute',
): void {
  const seen = new Set<string>();
  for (const { id, name } of catalog.schema[part]) {
    if (seen.has(id))
      throw new AskemaError(
        'SCHEMA_INVALID',
        `The catalog of ${catalog.name} has the ${what} id ${JSON.stringify(id)} twice; check the name comparison (${catalog.nameComparison}) and the name parts that make the id.`,
      );
    seen.add(id);
    if (!Object.hasOwn(catalog[part], id))
      throw new AskemaError(
        'SCHEMA_INVALID',
        `The catalog of ${catalog.name} has no entry in \`${part}\` for the ${what} ${JSON.stringify(name)} (id ${JSON.stringify(id)}).`,
      );
  }
}
