import type { DraftRelation } from '@askema/core';

/**
 * Names tables that are one table in pieces (`EVENTS_20240101`, `EVENTS_20240102`; `ORDERS_2023`, `ORDERS_2024`) as a family: of one schema and kind, with
 * names that differ only in digits that stand alone, and the very same columns. Exploration then looks at one of them.
 */
export function withFamilies(relations: readonly DraftRelation[]): readonly DraftRelation[] {
  const patterns = new Map<DraftRelation, string>();
  const alike = Map.groupBy(relations, ({ nameParts: { database, schema, relation }, kind }) =>
    JSON.stringify([database, schema, kind, patternOf(relation)]),
  );
  for (const group of alike.values()) {
    // Where columns differ under one pattern, the most alike are the family: a pattern stands for one.
    const [family] = [...Map.groupBy(group, columnsOf).values()].sort((a, b) => b.length - a.length);
    const pattern = patternOf(family?.[0]?.nameParts.relation ?? '');
    if (family !== undefined && family.length > 1 && pattern.includes('*'))
      for (const member of family) patterns.set(member, pattern);
  }
  return relations.map((relation) => {
    const familyPattern = patterns.get(relation);
    return familyPattern === undefined ? relation : { ...relation, familyPattern };
  });
}

/** Digits that touch a letter belong to a word: `V2`, `CHR1`. */
function patternOf(name: string): string {
  return name.replaceAll(/(?<![\p{L}\d])\d+(?![\p{L}\d])/gu, '*');
}

function columnsOf({ attributes }: DraftRelation): string {
  return JSON.stringify(attributes.map(({ name, nativeType }) => [name, nativeType]));
}
