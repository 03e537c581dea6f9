import type { EventSink } from '@askema/core';
import type { ModelChoice } from '../../model/resolve-model.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';

/** Collects what a prompt shows of the knowledge, and what has no room in it. */
interface KnowledgeList {
  readonly sink: EventSink;
  /** A line for each entry, with the reason; empty where nothing is needed. */
  render(): string;
}

const HEADINGS: Readonly<Record<string, string>> = {
  'knowledge-shown': 'Of the knowledge, the prompt shows:',
  'knowledge-left-out': 'It has no room for:',
};

export function createKnowledgeList(): KnowledgeList {
  const lines: Record<string, string[]> = { 'knowledge-shown': [], 'knowledge-left-out': [] };
  return {
    sink: (event) => {
      if (event.type === 'call') lines[event.call]?.push(printable(`  ${event.data.id}, ${event.data.reason}`));
    },
    render: () =>
      Object.entries(lines)
        .map(([name, listed]) => (listed.length === 0 ? '' : [HEADINGS[name], ...listed, ''].join('\n')))
        .join(''),
  };
}

/**
 * The request on stdout as it would be sent, so that it can be compared; everything else on stderr. `shown` of the
 * knowledge; undefined without any.
 */
export async function showUnsent(
  first: string,
  shown: KnowledgeList | undefined,
  { out, err }: CommandContext,
): Promise<number> {
  await out.write(first);
  await err.write('Nothing was sent. This is the first request; what later ones hold depends on the answers.\n');
  if (shown !== undefined) await err.write(`Where the knowledge answers alone, none is sent.\n${shown.render()}`);
  return EXIT.ok;
}

/** Of a solver that is no language model. */
export async function sayNothingIsSent({ label }: ModelChoice, { out }: CommandContext): Promise<number> {
  await out.write(
    label === 'lexical'
      ? 'Nothing is sent: the built-in model `lexical` reads the question on this machine.\n'
      : `${label} is a solver of the configuration: what it sends, it alone knows. It was not asked.\n`,
  );
  return EXIT.ok;
}
