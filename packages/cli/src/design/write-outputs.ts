import type { Dialect, Schema } from '@askema/core';
import { writeDbml, writeDdl, writeDrizzle, writeMermaid, writePrisma } from '@askema/dialects';
import { type DesignOutcome, writeDesignReport, writeSvg } from '@askema/text2schema';
import { ormNameOf } from '../format/orm-name.ts';
import type { DesignFolder } from './design-folder.ts';

/** What was written, by names within the folder, and what could not be. */
export interface WrittenOutputs {
  readonly files: readonly string[];
  readonly problems: readonly string[];
  /** Of the first dialect; undefined where there is no schema, or none that this dialect can have. */
  readonly ddl: string | undefined;
}

/**
 * Writes everything that can be made of an outcome: DDL, diagrams, ORM schemas, report, transcript. One output that fails does not
 * keep the others from being written.
 */
export async function writeOutputs(
  outcome: DesignOutcome,
  schema: Schema | undefined,
  dialects: readonly Dialect[],
  folder: DesignFolder,
): Promise<WrittenOutputs> {
  const files: string[] = [];
  const problems: string[] = [];
  const write = async (name: string, make: () => string | Promise<string>): Promise<void> => {
    try {
      await folder.write(name, withLineEnd(await make()));
      files.push(name);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  };
  let ddl: string | undefined;
  if (schema !== undefined) {
    await write('schema.json', () => JSON.stringify(schema, null, 2));
    for (const dialect of dialects) {
      await write(`schema.${dialect.name}.sql`, () => {
        const text = withLineEnd(writeDdl(schema, dialect));
        if (dialect === dialects[0]) ddl = text;
        return text;
      });
    }
    await write('diagram.mmd', () => writeMermaid(schema));
    await write('diagram.svg', () => writeSvg(schema));
    await write('schema.dbml', () => writeDbml(schema));
    const orm = dialects.map(ormNameOf).find((name) => name !== undefined) ?? 'sqlite';
    await write('schema.prisma', () => writePrisma(schema, { provider: orm }));
    await write('schema.drizzle.ts', () => writeDrizzle(schema, { dialect: orm }));
  }
  await write('report.md', () => writeDesignReport(outcome, { dialect: dialects[0] }));
  await write('transcript.json', () => JSON.stringify(outcome.transcript, null, 2));
  files.push(...(await folder.writePhases(outcome.artefacts)));
  return { files, problems, ddl };
}

/** The schema of an outcome, finished or not. */
export function schemaOf(outcome: DesignOutcome): Schema | undefined {
  const named = 'schema' in outcome ? outcome.schema : undefined;
  return named ?? outcome.artefacts.design?.schema;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
