import { basename } from 'node:path';
import type { Diagnose, DiagnosisFinding, ReadOnlyStanding, Value } from '@askema/core';
import type { Engine, OpenedSource } from './duckdb.ts';
import { explainFailure } from './errors/explain-failure.ts';
import type { ResolvedOptions } from './options.ts';
import { runRequest } from './pool/run-request.ts';

const SQL = `
  SELECT version(), current_setting('threads'), current_setting('memory_limit'), current_setting('enable_external_access'),
    current_setting('lock_configuration'),
    (SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal)
      + (SELECT count(*) FROM duckdb_views() WHERE database_name = current_database() AND NOT internal)`;

/** Says what is opened, by which DuckDB, and what keeps statements from writing: as the engine itself tells of its settings. */
export function createDiagnose({ pool, options, opened }: Engine): Diagnose {
  return async ({ timeoutMs, context }) => {
    const request = { type: 'query', sql: SQL, access: 'read', maxRows: 1, maxBytes: 100_000 } as const;
    const limits = { timeoutMs, signal: context.signal, what: 'The diagnosis' };
    let row: readonly Value[] = [];
    for await (const answer of runRequest(pool, request, limits, (failure) => explainFailure(failure, undefined)))
      if (answer.type === 'rows') row = answer.rows[0] ?? [];
    const [version, threads, memory, external, locked, relations] = row;
    const source = opened();
    return {
      server: `DuckDB ${String(version).replace(/^v/, '')}`,
      place: { ...placeOf(options, source), threads: String(threads), memory: String(memory) },
      readOnly: standing(options, external === false && locked === true),
      findings: [...findingsOf(source), ...(relations === 0 ? [NOTHING] : [])],
    };
  };
}

const NOTHING: DiagnosisFinding = {
  severity: 'warning',
  code: 'no-relations',
  message: 'There are no tables and no views.',
  fix: 'Check whether this is the database that is meant.',
};

function placeOf({ place }: ResolvedOptions, opened: OpenedSource | undefined): Record<string, string> {
  if (place.type === 'database') return { file: place.file };
  const relations = opened?.source.type === 'files' ? opened.source.relations : [];
  const files = relations.reduce((count, relation) => count + relation.files.length, 0);
  return { files: `${files} in ${place.paths.join(', ')}` };
}

function standing({ access, place }: ResolvedOptions, closed: boolean): ReadOnlyStanding {
  if (access === 'write')
    return {
      by: 'nothing',
      explanation: "The adapter was opened with `access: 'write'`; calls that ask for it may change data.",
    };
  const how =
    place.type === 'database'
      ? 'The file is opened read-only, and each statement runs in a read-only transaction'
      : 'The files are only read through views, and each statement runs in a read-only transaction';
  const rest = closed
    ? 'access to all other files is switched off and the configuration is locked'
    : 'but DuckDB reports that access to other files is not switched off';
  return { by: closed ? 'engine' : 'text', explanation: `${how}; ${rest}.` };
}

function findingsOf(opened: OpenedSource | undefined): readonly DiagnosisFinding[] {
  if (opened?.source.type !== 'files') return [];
  const { relations } = opened.source;
  const problems = (opened.process.opened?.problems ?? []).map(({ relation, message }): DiagnosisFinding => {
    const file = relations.find(({ name }) => name === relation)?.files[0] ?? relation;
    return {
      severity: 'warning',
      code: 'unreadable-file',
      message: `${basename(file)} cannot be read and is left out: ${message}`,
      fix: 'Mend the file, or move it out of the folder.',
    };
  });
  return problems;
}
