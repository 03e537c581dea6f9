import { type AttributeId, quoteString } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { edited, type Mutation, type MutationSource, selectsOf, shuffled } from './mutation.ts';
import { namedAttribute } from './named-attributes.ts';

/** A mutation that changes a value, and the attribute that must not hold the new one. */
export interface LiteralMutation extends Mutation {
  readonly attribute: AttributeId;
  readonly value: string;
}

/** Words that are no cell of a small database; the caller makes sure. */
const WORDS = ['Zanzibar', 'Quartz Holdings', 'Marigold', 'Trondheim', 'Peregrine', 'Basalt', 'Ottoline', 'Kestrel'];

/** A text that a condition compares a column with becomes one that no cell of the column holds. */
export function* unheldLiterals(source: MutationSource): Iterable<LiteralMutation> {
  const { sql, shape, random } = source;
  for (const block of shuffled(selectsOf(shape), random)) {
    for (const { left, right, operator } of shuffled(block.filters, random)) {
      const column = left.kind === 'column' ? block.columns[left.columns[0] ?? -1] : undefined;
      const named = column === undefined ? undefined : namedAttribute(source, block, column);
      if (named === undefined || !['=', '<>', 'in'].includes(operator)) continue;
      for (const { literal, span } of shuffled(right, random)) {
        if (literal?.type !== 'string' || literal.value.trim() === '') continue;
        for (const [subKind, value] of changesOf(literal.value, random))
          yield {
            kind: 'unheld-literal',
            subKind,
            sql: edited(sql, [{ span, text: quoteString(value, sqliteDialect) }]),
            attribute: named.attribute.id,
            value,
          };
      }
    }
  }
}

function* changesOf(value: string, random: () => number): Iterable<readonly [subKind: string, value: string]> {
  const cases = [
    value.toLowerCase(),
    value.toUpperCase(),
    value.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase()),
  ];
  for (const other of shuffled(cases, random)) if (other !== value) yield ['another case', other];
  const letters = [...value];
  if (letters.length >= 4)
    for (const at of shuffled([...letters.keys()].slice(1, -1), random).slice(0, 3)) {
      const typos = [
        letters.toSpliced(at, 1),
        letters.toSpliced(at, 2, letters[at + 1] ?? '', letters[at] ?? ''),
        letters.toSpliced(at, 0, letters[at] ?? ''),
      ];
      for (const typo of shuffled(typos, random)) if (typo.join('') !== value) yield ['misspelt', typo.join('')];
    }
  const words = value.split(/\s+/);
  if (words.length > 1) yield ['abbreviated', words.map((word) => [...word][0]).join('')];
  if (letters.length >= 6) yield ['abbreviated', letters.slice(0, 4).join('')];
  for (const word of shuffled(WORDS, random)) yield ['another word', word];
}
