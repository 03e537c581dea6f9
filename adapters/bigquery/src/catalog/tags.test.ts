import { createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { createIntrospector } from './introspector.ts';
import { fakeClient } from './test-support/fake-client.ts';

test('policy tags of a column and its fields, and labels of a table, are read where tags are asked for', async () => {
  const policyTag = (name: string) => ({
    policyTags: { names: [`projects/1/locations/eu/taxonomies/2/policyTags/${name}`] },
  });
  const client = fakeClient({
    'p.d': {
      tables: [
        {
          tableReference: { projectId: 'p', datasetId: 'd', tableId: 't' },
          type: 'TABLE',
          labels: { team: 'hr' },
          schema: {
            fields: [
              { name: 'id', type: 'INTEGER' },
              { name: 'ssn', type: 'STRING', ...policyTag('3') },
              { name: 'person', type: 'RECORD', fields: [{ name: 'mail', type: 'STRING', ...policyTag('4') }] },
            ],
          },
        },
      ],
    },
  });
  const introspector = createIntrospector({
    client,
    name: 'p',
    datasets: [{ project: 'p', dataset: 'd' }],
    timeoutMs: 5_000,
  });
  const catalog = await introspector.introspect({ tags: true, context: createCallContext() });
  const tagsOf = (name: string) =>
    catalog.attributes[catalog.schema.attributes.find((one) => one.name === name)?.id ?? '']?.tags?.map(
      (tag) => tag.name,
    );
  expect(Object.values(catalog.relations)[0]?.tags).toEqual([{ name: 'team', value: 'hr' }]);
  expect(tagsOf('ssn')).toEqual(['projects/1/locations/eu/taxonomies/2/policyTags/3']);
  expect(tagsOf('person')).toEqual(['projects/1/locations/eu/taxonomies/2/policyTags/4']);
  expect(tagsOf('id')).toBeUndefined();
});
