import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Imported } from '../formats/conversion.ts';
import { fileName, writeOssie } from '../formats/ossie/write-ossie.ts';
import { withoutUndefined } from '../formats/plain-object.ts';
import { yamlText } from '../formats/write-yaml.ts';
import type { KnowledgeSettings, KnowledgeText } from '../model/knowledge.ts';
import { PROPOSALS } from '../model/standing.ts';
import { FOLDERS, SETTINGS_FILE } from './layout.ts';
import { markdown, queryMatter, textMatter } from './markdown-text.ts';
import { replaceFile } from './replace-file.ts';

/** The folder of a kind of prose. */
export function folderOf(kind: KnowledgeText['kind']): string {
  return Object.entries(FOLDERS).find(([, each]) => each === kind)?.[0] ?? 'rules';
}

/**
 * Writes what was imported or drafted below `proposals/`, and its settings into `knowledge.yml` where there is none.
 * Files of the same names are replaced.
 *
 * @returns The files, relative to the folder.
 */
export async function writeProposals(
  folder: string,
  imported: Pick<Imported, 'knowledge'>,
): Promise<readonly string[]> {
  const { models, texts, verifiedQueries, settings } = imported.knowledge;
  const files = new Map<string, string>();
  // Some file systems take `A.md` and `a.md` for one.
  const taken = new Set<string>();
  const add = (path: string, ending: string, text: string): void => {
    let free = `${PROPOSALS}/${path}${ending}`;
    for (let next = 2; taken.has(free.toLowerCase()); next += 1) free = `${PROPOSALS}/${path}-${next}${ending}`;
    taken.add(free.toLowerCase());
    files.set(free, text);
  };
  for (const model of models)
    for (const { text } of writeOssie(model).files) add(`models/${fileName(model.name)}`, '.ossie.yaml', text);
  for (const query of verifiedQueries) {
    const path = query.id.split('/').map(fileName).join('/');
    add(`sql/${path}`, '.md', markdown(queryMatter(query), query.notes ?? ''));
  }
  for (const one of texts) {
    const body = one.title === one.id ? one.text : `# ${one.title.replaceAll(/\s+/g, ' ')}\n\n${one.text}`;
    add(`${folderOf(one.kind)}/${fileName(one.id)}`, '.md', markdown(textMatter(one), body));
  }
  if (!existsSync(join(folder, SETTINGS_FILE))) await replaceFile(folder, SETTINGS_FILE, settingsText(settings));
  for (const [path, text] of files) await replaceFile(folder, path, text);
  return [...files.keys()];
}

function settingsText(settings: KnowledgeSettings): string {
  return yamlText(
    withoutUndefined({
      schema_version: 1,
      dialect: settings.dialect,
      matching: settings.matching,
      time_zone: settings.timeZone,
      fiscal_year_start: settings.fiscalYearStart,
      week_start: settings.weekStart,
    }),
  );
}
