import { type Html, html, join, words } from './html.ts';
import { type JsonSchema, nameOf } from './json-schema.ts';

/**
 * The fields of an object, or of the objects of a list, those of objects within it as `items[].quantity`; nothing for
 * any other schema. Components are linked, not unfolded.
 */
export function fieldTable(schema: JsonSchema, marksRequired: boolean): Html | '' {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return html`<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${join(
  rows,
  ({
    name,
    field,
    isRequired,
  }) => html`<tr><td><code>${name}</code>${isRequired && marksRequired ? html` <b title="required">*</b>` : ''}</td>
<td>${typeWords(field)}</td>
<td>${words(field.description ?? '')}${defaultWords(field)}${
    field['x-extension'] ? html` <em class="extension">extension</em>` : ''
  }</td></tr>`,
)}</tbody></table>`;
}

/** Type and bounds in a few words, a record by its link. */
export function typeWords(schema: JsonSchema): Html {
  if (schema.$ref) return html`<a href="${schemaPath(nameOf(schema.$ref))}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf) {
    const [first, ...others] = schema.anyOf;
    return html`${first ? typeWords(first) : ''}${join(others, other => html` or ${typeWords(other)}`)}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) {
    const [first, ...others] = schema.enum.map(value => html`<code>${JSON.stringify(value)}</code>`);
    return html`${first}${join(others, other => html`, ${other}`)}`;
  }
  const types = [schema.type ?? 'any value'].flat();
  if (types[0] === 'array' && schema.items) {
    const orNull = types.includes('null') ? ' or null' : '';
    return html`list of ${typeWords(schema.items)}${orNull}${boundWords(schema)}`;
  }
  return html`${types.join(' or ')}${schema.format ? `, ${schema.format}` : ''}${boundWords(schema)}`;
}

export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

function schemaPath(name: string): string {
  return `/docs/schemas#${schemaAnchor(name)}`;
}

interface Row {
  name: string;
  field: JsonSchema;
  isRequired: boolean;
}

function rowsOf(schema: JsonSchema, prefix: string): Row[] {
  if (schema.items) return rowsOf(schema.items, prefix === '' ? '' : `${prefix}[]`);
  const { properties = {}, required = [] } = schema.anyOf?.find(branch => branch.properties) ?? schema;
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [{ name, field, isRequired: required.includes(key) }, ...rowsOf(field, name)];
  });
}

function boundWords({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string {
  const number = (value: number) => value.toLocaleString('en');
  const bounds: string[] = [];
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${number(minimum)} to ${number(maximum)}`);
  else if (minimum !== undefined) bounds.push(`at least ${number(minimum)}`);
  else if (maximum !== undefined) bounds.push(`at most ${number(maximum)}`);
  if (minLength !== undefined) bounds.push(`at least ${number(minLength)} characters`);
  if (maxLength !== undefined) bounds.push(`at most ${number(maxLength)} characters`);
  if (minItems !== undefined) bounds.push(`at least ${number(minItems)}`);
  if (maxItems !== undefined) bounds.push(`at most ${number(maxItems)}`);
  return bounds.map(bound => `, ${bound}`).join('');
}

function defaultWords(field: JsonSchema): Html | '' {
  return field.default === undefined ? '' : html` Default <code>${JSON.stringify(field.default)}</code>.`;
}
