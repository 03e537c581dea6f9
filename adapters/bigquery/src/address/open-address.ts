import { type AskemaError, decodePart, invalidOption, type OpenAddress } from '@askema/core';
import { bigquery } from '../bigquery.ts';
import type { BigQueryOptions } from '../options.ts';

const EXAMPLE = 'bigquery://my-project/my_dataset?location=EU&maxBytesBilled=10GB';

/**
 * Opens `bigquery://project`, `bigquery://project/dataset` or `bigquery://project/data-project.dataset`; several datasets with commas. Parameters:
 * `location`, `maxBytesBilled` (`5368709120`, `5GB`, `none`), `billingProject` (who pays, when it is not the project of the address), `endpoint`.
 *
 * Secrets are found as Google's tools find them: the file that GOOGLE_APPLICATION_CREDENTIALS names, the login of gcloud, the account of the machine;
 * or an access token in GOOGLE_OAUTH_ACCESS_TOKEN. GOOGLE_CLOUD_PROJECT names the project that pays where the address has none.
 */
export const openAddress: OpenAddress = async (address, { access, allowFunctions, environment, folder }) => {
  const { projects, datasets, parameters } = readAddress(address);
  const known = new Set(['location', 'maxBytesBilled', 'billingProject', 'endpoint']);
  for (const key of parameters.keys()) if (!known.has(key)) throw unknownParameter(key, [...known]);
  const project = projects === '' ? environment.GOOGLE_CLOUD_PROJECT : projects;
  const billing = parameters.get('billingProject') ?? undefined;
  const options: BigQueryOptions = {
    projectId: billing ?? project,
    datasets: datasets.map((dataset) =>
      dataset.includes('.') || billing === undefined ? dataset : `${project}.${dataset}`,
    ),
    location: parameters.get('location') ?? undefined,
    maximumBytesBilled: readBytes(parameters.get('maxBytesBilled')),
    apiEndpoint: parameters.get('endpoint') ?? undefined,
    access,
    allowFunctions,
    ...(await credentialsFrom(environment, folder, parameters.has('endpoint'))),
  };
  return bigquery(options);
};

function readAddress(address: string): { projects: string; datasets: readonly string[]; parameters: URLSearchParams } {
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    url = undefined;
  }
  if (url?.protocol !== 'bigquery:') throw invalid('This is no address of BigQuery.');
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'The address has a user or a password in it; put credentials into a file and its path into GOOGLE_APPLICATION_CREDENTIALS.',
    );
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (parts.length > 1) throw invalid('The address has more parts than a project and datasets.');
  // A comma that is written as %2C belongs to a name, and is no end of one.
  const datasets = (parts[0] ?? '')
    .split(',')
    .map((part) => decodePart(part, EXAMPLE).trim())
    .filter((part) => part !== '');
  return { projects: decodePart(url.host, EXAMPLE), datasets, parameters: url.searchParams };
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};

function readBytes(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (text.toLowerCase() === 'none') return Number.POSITIVE_INFINITY;
  const [, digits = '', unit = ''] = /^(\d{1,16}(?:\.\d{1,6})?) ?([kmgt]?i?b?)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()] ?? UNITS[`${unit.toUpperCase()}B`];
  if (digits === '' || factor === undefined)
    throw invalid(`\`maxBytesBilled\` is ${JSON.stringify(text)}; write bytes, such as 5368709120, 5GB or none.`);
  return Math.round(Number(digits) * factor);
}

/** Only for a stand-in nothing is looked for. */
async function credentialsFrom(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
  hasEndpoint: boolean,
): Promise<Pick<BigQueryOptions, 'accessToken' | 'keyFilename'>> {
  const { GOOGLE_OAUTH_ACCESS_TOKEN: accessToken, GOOGLE_APPLICATION_CREDENTIALS: file } = environment;
  if (accessToken !== undefined && accessToken !== '') return { accessToken };
  if (hasEndpoint || file === undefined || file === '') return {};
  const { resolve } = await import('node:path');
  return { keyFilename: resolve(folder, file) };
}

function unknownParameter(key: string, known: readonly string[]): AskemaError {
  const shown = /^[A-Za-z_-]{1,40}$/.test(key) ? ` \`${key}\`` : '';
  return invalid(
    `The address has a parameter${shown} that is not known; there are ${known.map((one) => `\`${one}\``).join(', ')}.`,
  );
}

function invalid(message: string): AskemaError {
  return invalidOption(`${message} An address looks like ${EXAMPLE}`);
}
