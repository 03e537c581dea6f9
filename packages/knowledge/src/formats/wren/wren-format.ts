import type { KnowledgeFormat } from '../conversion.ts';
import { importWren } from './import-wren.ts';

export const wrenFormat: KnowledgeFormat = {
  name: 'wren',
  wrote: (name, keys) => name === 'wren_project.yml' || (name === 'mdl.json' && keys.has('models')),
  read: importWren,
};
