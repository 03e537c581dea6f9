import type { SemanticModel } from '../../model/semantic-model.ts';
import type { Exported } from '../conversion.ts';
import { yamlText } from '../write-yaml.ts';
import { plainModel, type Target } from './plain-parts.ts';
import { RELEASE_011, RELEASE_020 } from './releases.ts';

/**
 * Writes a model as one file of Apache Ossie. What Ossie lacks stands in the extension of vendor `ASKEMA`; extensions of
 * others are written byte for byte.
 *
 * @param options.version `flat`: 0.2.0.dev0 with the model at the root. `0.1.1`: what dbt, Snowflake and Salesforce
 *   read; our extension then has vendor `COMMON` and the key `askema`. Default: `flat`.
 * @returns The file, and each metric or field that other tools cannot compute.
 */
export function writeOssie(model: SemanticModel, options: { readonly version?: 'flat' | '0.1.1' } = {}): Exported {
  const isFlat = options.version !== '0.1.1';
  const target: Target = { release: isFlat ? RELEASE_020 : RELEASE_011, lost: [] };
  const plain = plainModel(model, target);
  const { version } = target.release;
  const document = isFlat ? { version, ...plain } : { version, semantic_model: [plain] };
  return { files: [{ path: `${fileName(model.name)}.ossie.yaml`, text: yamlText(document) }], lost: target.lost };
}

/** File systems take names up to 255 bytes, and an ending and a number follow. */
const MAX_FILE_NAME = 60;

/** A name as that of a file: letters, digits, `_` and `-`, at most 60 of them. */
export function fileName(name: string): string {
  const characters = Array.from(name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-'));
  return (
    characters
      .slice(0, MAX_FILE_NAME)
      .join('')
      .replaceAll(/^-+|-+$/g, '') || 'unnamed'
  );
}
