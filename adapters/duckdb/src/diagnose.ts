import { basename } from 'node:path';
import { statementRequest } from '@askema/adapter-kit';
import type { Diagnose, DiagnosisFinding, ReadOnlyStanding, Value } from '@askema/core';
import type { Engine, OpenedSource } from './engine.ts';
import type { ResolvedOptions } from './options.ts';

const setting = (name: string): string => `system.main.current_setting('${name}')`;

// Functions are qualified: a macro of the database may have the same name, and would answer in their place.
const SQL = `
  SELECT system.main.version(), ${setting('threads')}, ${setting('memory_limit')},
    EXISTS (FROM system.main.duckdb_tables() WHERE database_name = system.main.current_database() AND NOT internal)
      OR EXISTS (FROM system.main.duckdb_views() WHERE database_name = system.main.current_database() AND NOT internal),
    ${setting('access_mode')}, ${setting('enable_external_access')}, ${setting('lock_configuration')}, ${setting('enable_profiling')},
    ${setting('enable_logging')}`;

/**
 * Says what is opened, by which DuckDB, and what keeps statements from writing: as the engine itself tells of its
 * settings.
 */
export function createDiagnose({ client, options, opened }: Engine): Diagnose {
  return async ({ timeoutMs, context }) => {
    const limits = { timeoutMs, signal: context.signal, what: 'The diagnosis' };
    let row: readonly Value[] = [];
    for await (const [first = []] of client.rows(statementRequest(SQL), limits)) row = first;
    const [version, threads, memory, hasRelations, ...settings] = row;
    const source = opened();
    return {
      server: `DuckDB ${String(version).replace(/^v/, '')}`,
      place: { ...placeOf(options, source), threads: String(threads), memory: String(memory) },
      readOnly: standing(options, openPlaces(options, settings)),
      findings: [...findingsOf(source), ...(hasRelations === false ? [NOTHING] : [])],
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

/** What DuckDB itself says that is not as it was set when it was opened. */
function openPlaces(
  { place, access }: ResolvedOptions,
  [mode, external, locked, profiling, logging]: readonly Value[],
): readonly string[] {
  return [
    ...(place.type === 'database' && access === 'read' && mode !== 'read_only' ? ['the file may be written'] : []),
    ...(external === false ? [] : ['other files may be reached']),
    ...(locked === true ? [] : ['the configuration is not locked']),
    ...(profiling === null ? [] : ['statements are profiled']),
    ...(logging === false || logging === 0 ? [] : ['statements are logged']),
  ];
}

function standing({ access, place }: ResolvedOptions, open: readonly string[]): ReadOnlyStanding {
  if (access === 'write')
    return {
      by: 'nothing',
      explanation: "The adapter was opened with `access: 'write'`; calls that ask for it may change data.",
    };
  if (open.length > 0)
    return { by: 'text', explanation: `The text of statements is looked at, but DuckDB reports: ${open.join(', ')}.` };
  const how =
    place.type === 'database'
      ? 'The file is opened read-only'
      : 'The files are only read through views, each statement in a read-only transaction';
  return {
    by: 'engine',
    explanation: `${how}; a statement calls only functions that are known to only read; access to all other files is switched off and the configuration is locked.`,
  };
}

function findingsOf(opened: OpenedSource | undefined): readonly DiagnosisFinding[] {
  if (opened?.source.type !== 'files') return [];
  const { relations } = opened.source;
  const problems = (opened.process.opened?.problems ?? []).map(({ relation, message }): DiagnosisFinding => {
    const file = relations.find(({ name }) => name === relation)?.files[0] ?? relation;
    return {
      severity: 'warning',
      code: 'unreadable-file',
      message: `${relation} is left out, because ${basename(file)} cannot be read: ${message}`,
      fix: 'Mend the file, or move it out of the folder.',
    };
  });
  return problems;
}
