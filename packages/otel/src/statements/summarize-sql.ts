import type { LexerTraits } from '@askema/core';
import { relationsIn, scanSql, statementKind } from '@askema/sql';

/** First words that a summary shows. Others may be anything: a model's answer that is no SQL is also run. */
const OPERATIONS = new Set(
  `SELECT VALUES INSERT UPDATE DELETE MERGE REPLACE TRUNCATE CREATE ALTER DROP EXPLAIN SHOW DESCRIBE PRAGMA SET CALL
  COPY ANALYZE DECLARE`.split(/\s+/),
);

/** As long as the conventions allow. */
const MAX_CHARACTERS = 255;

/**
 * `SELECT orders customers`: what a statement does, and the relations that it reads in the order of the text; undefined
 * where it does nothing that is known (db.query.summary of the stable database conventions).
 */
export function summarizeSql(sql: string, traits: LexerTraits): string | undefined {
  const operation = operationOf(sql, traits);
  if (operation === undefined) return undefined;
  let summary = operation;
  for (const path of relationsIn(sql, traits)) {
    const longer = `${summary} ${path.join('.')}`;
    // A name is never cut.
    if (longer.length > MAX_CHARACTERS) break;
    summary = longer;
  }
  return summary;
}

function operationOf(sql: string, traits: LexerTraits): string | undefined {
  for (const { kind, text } of scanSql(sql, traits)) {
    if (kind === 'blank' || kind === 'comment' || text === '(') continue;
    const word = text.toUpperCase();
    if (word === 'WITH') return statementKind(sql, traits) === 'read' ? 'SELECT' : 'WITH';
    return kind === 'word' && OPERATIONS.has(word) ? word : undefined;
  }
  return undefined;
}
