import { join } from 'node:path';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { solverNamed } from '../../model/solver-named.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { databaseOf, findFolder, type KnowledgeFlags } from './knowledge-folder.ts';
import { counted, tellLosses } from './tell-losses.ts';
import { writeOwnFile } from './write-own-file.ts';

export interface InitFlags extends KnowledgeFlags {
  /** Undefined: no model is asked, whatever the configuration says. */
  readonly model?: string | undefined;
}

/** `askema knowledge init [DATABASE]`; returns the exit code. */
export async function initKnowledge(
  named: string | undefined,
  flags: InitFlags,
  context: CommandContext,
): Promise<number> {
  const { out, err, signal } = context;
  const { folder, loaded } = await findFolder(flags, context);
  const address = databaseOf(named, loaded, 'init');
  const solver =
    flags.model === undefined ? undefined : await solverNamed(flags.model, 'describes nothing', loaded, context);
  const { draftKnowledge, knowledgeSchemas, writeProposals } = await import('@askema/knowledge');
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const line = startProgressLine(err);
  try {
    line.show(`reading ${adapter.name}`);
    const draft = await draftKnowledge({ adapter, solver, signal });
    await line.stop();
    const files = await writeProposals(folder, draft);
    writeSchemas(folder, knowledgeSchemas());
    await out.write(files.map((file) => `${printable(file)}\n`).join(''));
    await tellLosses(draft.lost, context);
    const [model] = draft.knowledge.models;
    await err.write(
      `${counted(model?.datasets.length ?? 0, 'dataset')} and ${counted(model?.relationships.length ?? 0, 'relationship')} are proposed in ${printable(folder)}. Define metrics there, then run \`askema knowledge check\` and \`askema knowledge accept\`.\n`,
    );
    return EXIT.ok;
  } finally {
    await line.stop();
    await adapter.close();
  }
}

/** JSON Schemas for editors, where nothing else of the folder is. */
function writeSchemas(folder: string, schemas: Readonly<Record<string, object>>): void {
  for (const [name, schema] of Object.entries(schemas))
    writeOwnFile(join(folder, '.schemas', name), `.schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
}
