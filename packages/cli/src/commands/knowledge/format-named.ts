import { AskemaError, didYouMean } from '@askema/core';
import type { KnowledgeFormat } from '@askema/knowledge';

/** @throws AskemaError `INPUT_INVALID` for a name of none that can be read, or written. */
export async function formatNamed(name: string, does: 'read' | 'write'): Promise<KnowledgeFormat> {
  const { KNOWLEDGE_FORMATS } = await import('@askema/knowledge');
  const able = KNOWLEDGE_FORMATS.filter((format) => format[does] !== undefined);
  const found = able.find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = able.map((format) => format.name);
  throw new AskemaError(
    'INPUT_INVALID',
    `--format ${name} is none that can be ${does === 'read' ? 'read' : 'written'}: ${names.join(', ')}. ${didYouMean(name, names)}`.trim(),
  );
}
