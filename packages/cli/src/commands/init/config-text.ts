import { PROVIDERS_FOUND_BY_KEY, providerNamed } from '../../model/providers.ts';
import type { FoundDatabase } from './find-databases.ts';

/**
 * A configuration with these databases, the first of which is asked where none is named. It imports nothing but a type:
 * it runs where `askema` is not installed beside it.
 */
export function configText(databases: readonly FoundDatabase[], isTypeScript: boolean): string {
  const [head, end] = isTypeScript
    ? ["import type { AskemaConfig } from 'askema';\n\nexport default {", '} satisfies AskemaConfig;']
    : ["/** @type {import('askema').AskemaConfig} */\nexport default {", '};'];
  const lines = databases.map(({ name, address }) => `    ${key(name)}: ${literal(address)},`);
  return [
    head,
    '  // A path from this file, an address without a password, or the variable that holds one: env:NAME.',
    '  databases: {',
    ...lines,
    '  },',
    '  // What nobody gets to see, by database: { hide: ["hr.*"], mask: ["*.email"] }.',
    '  restrict: {},',
    '  // Asked where none is named. The model is the one of `askema models`, unless `model` names another one.',
    `  defaults: { database: ${literal(databases[0]?.name ?? '')} },`,
    end,
    '',
  ].join('\n');
}

/** Names of variables, never what is in them. */
export function environmentText(databases: readonly FoundDatabase[]): string {
  const addresses = databases.flatMap(({ name, variable }) =>
    variable === undefined
      ? []
      : [`# The address of the database that is called ${name}; a password may stand in it.`, `${variable}=`, ''],
  );
  const keys = PROVIDERS_FOUND_BY_KEY.map((name) => `# ${providerNamed(name).keyVariable}=`);
  return [
    '# Copy this file to .env, fill it in, and keep .env out of version control.',
    '# askema reads the environment: set -a; . ./.env; set +a',
    '',
    ...addresses,
    `# The key of a model, one of these; a local Ollama needs none.`,
    ...keys,
    '',
  ].join('\n');
}

function key(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : literal(name);
}

/** Names of files are text of anybody, and this becomes code. */
function literal(text: string): string {
  return /^[\w./: -]*$/.test(text) ? `'${text}'` : JSON.stringify(text);
}
