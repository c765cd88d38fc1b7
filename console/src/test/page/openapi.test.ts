import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import description from '../../main/resources/io/tickmark/console/openapi.json';

it('should describe the control interface by the rules of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it('should not take anything for such a description', async () => {
  const { valid } = await new Validator().validate({ ...structuredClone(description), paths: { 'no-slash': { get: 1 } } });
  expect(valid).toBe(false);
});
