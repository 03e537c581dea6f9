import {
  type CallLimits,
  type Diagnose,
  type DiagnosisFinding,
  isAskemaError,
  type ReadOnlyStanding,
  startLimits,
} from '@askema/core';
import type { OpenClient } from './client/create-client.ts';
import { dryRun } from './client/query-job.ts';
import type { DatasetName } from './dataset-name.ts';
import { explainThrown } from './errors/explain-failure.ts';
import { failureOf } from './errors/rest-failure.ts';
import { withProject } from './options.ts';
import type { RestJob } from './rest-types.ts';

/** Datasets that are looked at; a project may have thousands. */
const MOST_DATASETS = 10;

/**
 * Looks without changing anything and free of charge: a dry run shows whether jobs may be run and who is connected, `datasets.get` and `tables.list`
 * what can be seen, `tables.testIamPermissions` what the account may do to a table of each dataset.
 */
export function createDiagnose(client: OpenClient): Diagnose {
  return async ({ timeoutMs, context }) => {
    client.throwIfClosed();
    const limits = client.untilClosed(
      startLimits({ timeoutMs, signal: context.signal, what: 'Looking at the database' }),
    );
    try {
      const project = await client.billingProject(limits);
      const findings: DiagnosisFinding[] = [];
      const request = { project, sql: 'SELECT 1', location: client.options.location, context, limits };
      const job = await probe(
        () => dryRun(client.jobs, request),
        'Running a job',
        findings,
        () => jobsDenied(project),
      );
      const seen = await lookAtDatasets(client, project, limits, findings);
      return {
        server: 'BigQuery',
        user: job?.user_email,
        place: placeOf(client, project, seen, job),
        readOnly: standingOf(client, seen),
        findings: [...findings, ...ownFindings(client, project, seen)],
      };
    } finally {
      limits.release();
    }
  };
}

interface SeenDataset {
  readonly name: DatasetName;
  readonly location: string | undefined;
  /** Undefined when it cannot be told. */
  readonly mayWrite: boolean | undefined;
}

/** What is denied or missing becomes a finding; what cannot be reached ends the diagnosis. */
async function probe<T>(
  look: () => Promise<T>,
  what: string,
  findings: DiagnosisFinding[],
  denied: () => DiagnosisFinding,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (thrown) {
    const explained = explainThrown(thrown, { what });
    const status = failureOf(thrown)?.status ?? (isAskemaError(explained) ? explained.details.status : undefined);
    const reason = failureOf(thrown)?.reason ?? (isAskemaError(explained) ? explained.details.vendorCode : undefined);
    const isPermission = status === 403 && (reason === 'accessDenied' || reason === undefined);
    if (!isPermission && status !== 404) throw explained;
    const finding = denied();
    findings.push(
      explained instanceof Error ? { ...finding, message: `${finding.message} (${explained.message})` } : finding,
    );
    return undefined;
  }
}

async function lookAtDatasets(
  client: OpenClient,
  project: string,
  limits: CallLimits,
  findings: DiagnosisFinding[],
): Promise<readonly SeenDataset[]> {
  const names = await namesOf(client, project, limits, findings);
  const seen: SeenDataset[] = [];
  for (const name of names.slice(0, MOST_DATASETS)) {
    const denied = (): DiagnosisFinding => dataDenied(name);
    const what = `Reading the dataset ${name.project}.${name.dataset}`;
    const dataset = await probe(() => client.getDataset(name, limits), what, findings, denied);
    if (dataset === undefined) continue;
    seen.push({ name, location: dataset.location, mayWrite: await mayWrite(client, name, limits, findings) });
  }
  return seen;
}

async function namesOf(
  client: OpenClient,
  project: string,
  limits: CallLimits,
  findings: DiagnosisFinding[],
): Promise<readonly DatasetName[]> {
  if (client.options.datasets.length > 0) return client.options.datasets.map((one) => withProject(one, project));
  const what = `Listing the datasets of ${project}`;
  const listed = await probe(
    () => client.listDatasets(project, limits),
    what,
    findings,
    () => listDenied(project),
  );
  return (listed ?? []).map(({ datasetReference }) => ({
    project: datasetReference.projectId,
    dataset: datasetReference.datasetId,
  }));
}

const READS = ['bigquery.tables.getData'];
const WRITES = ['bigquery.tables.updateData', 'bigquery.tables.update', 'bigquery.tables.delete'];

/** By the first table of the dataset; a server that does not know the question leaves it open. */
async function mayWrite(
  client: OpenClient,
  name: DatasetName,
  limits: CallLimits,
  findings: DiagnosisFinding[],
): Promise<boolean | undefined> {
  const { project, dataset } = name;
  try {
    let table: string | undefined;
    for await (const page of client.listTables(name, limits)) {
      table = page[0]?.tableReference.tableId;
      if (table !== undefined) break;
    }
    if (table === undefined) {
      findings.push({
        severity: 'info',
        code: 'dataset-empty',
        message: `The dataset ${project}.${dataset} has no table.`,
      });
      return undefined;
    }
    const { permissions = [] } = await client.transport.request<{ permissions?: readonly string[] }>({
      method: 'POST',
      path: ['projects', project, 'datasets', dataset, 'tables', `${table}:testIamPermissions`],
      body: { permissions: [...READS, ...WRITES] },
      limits,
    });
    if (!permissions.includes('bigquery.tables.getData')) findings.push(dataDenied(name));
    return WRITES.some((permission) => permissions.includes(permission));
  } catch (thrown) {
    limits.throwIfOver();
    if (failureOf(thrown) === undefined && !isAskemaError(thrown)) throw thrown;
    return undefined;
  }
}

function placeOf(
  { options }: OpenClient,
  project: string,
  seen: readonly SeenDataset[],
  job: RestJob | undefined,
): Readonly<Record<string, string>> {
  const location = options.location ?? seen[0]?.location ?? job?.jobReference?.location;
  const datasets = seen.map(({ name }) => `${name.project}.${name.dataset}`).join(', ');
  return { project, ...(datasets === '' ? {} : { datasets }), ...(location === undefined ? {} : { location }) };
}

function standingOf({ options }: OpenClient, seen: readonly SeenDataset[]): ReadOnlyStanding {
  if (options.access === 'write') return { by: 'nothing', explanation: 'The adapter was opened for writing.' };
  if (seen.length > 0 && seen.every(({ mayWrite }) => mayWrite === false))
    return {
      by: 'grants',
      explanation: 'The account has no permission to change a table that was looked at, in each dataset.',
    };
  if (options.apiEndpoint !== undefined)
    return {
      by: 'text',
      explanation:
        'The server is not BigQuery itself; its word on the kind of a statement proves nothing, so that the text decides.',
    };
  return { by: 'engine', explanation: 'BigQuery compiles each statement first, and only what it calls SELECT is run.' };
}

function ownFindings(
  { options }: OpenClient,
  project: string,
  seen: readonly SeenDataset[],
): readonly DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  for (const { name, mayWrite } of seen)
    if (mayWrite === true && options.access === 'read')
      findings.push({
        severity: 'warning',
        code: 'account-can-write',
        message: `The account may change tables of ${name.project}.${name.dataset}; what it is used for here is reading.`,
        fix: `Connect as an account that has only roles/bigquery.dataViewer on the dataset and roles/bigquery.jobUser on ${project}.`,
      });
  const places = new Set(seen.map(({ location }) => location).filter((location) => location !== undefined));
  if (places.size > 1)
    findings.push({
      severity: 'warning',
      code: 'several-locations',
      message: `The datasets are in several places (${[...places].join(', ')}); no query can read from more than one.`,
      fix: 'Open an adapter for each place.',
    });
  if (options.maximumBytesBilled === Number.POSITIVE_INFINITY)
    findings.push({
      severity: 'warning',
      code: 'no-cost-ceiling',
      message: 'There is no ceiling for what a query may bill.',
      fix: 'Set `maximumBytesBilled`.',
    });
  return findings;
}

function jobsDenied(project: string): DiagnosisFinding {
  return {
    severity: 'error',
    code: 'no-permission-for-jobs',
    message: `The account may not run queries in the project ${project}`,
    fix: `gcloud projects add-iam-policy-binding ${project} --member=MEMBER --role=roles/bigquery.jobUser`,
  };
}

function dataDenied({ project, dataset }: DatasetName): DiagnosisFinding {
  return {
    severity: 'error',
    code: 'no-permission-for-data',
    message: `The dataset ${project}.${dataset} is not there or may not be read`,
    fix: `GRANT \`roles/bigquery.dataViewer\` ON SCHEMA \`${project}\`.\`${dataset}\` TO "user:MEMBER"`,
  };
}

function listDenied(project: string): DiagnosisFinding {
  return {
    severity: 'error',
    code: 'no-permission-to-list',
    message: `The datasets of ${project} cannot be listed`,
    fix: `gcloud projects add-iam-policy-binding ${project} --member=MEMBER --role=roles/bigquery.metadataViewer, or name the datasets with \`datasets\`.`,
  };
}
