import type { Operation } from '../../shared/contract/operation.ts';

interface Node<Route> {
  literals: Map<string, Node<Route>>;
  parameter: Node<Route> | undefined;
  methods: Map<string, { route: Route; names: string[] }>;
}

/**
 * Finds an operation by its path, one step a segment; literal segments win over parameters (interface decisions, 1).
 * Express tries its routes one after the other, which a table of a hundred and more makes every request pay for.
 */
export class RouteTable<Route> {
  readonly #root: Node<Route> = emptyNode();

  add(operation: Pick<Operation, 'method' | 'path'>, route: Route): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of segmentsOf(operation.path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      } else {
        names.push(name);
        node.parameter ??= emptyNode();
        node = node.parameter;
      }
    }
    node.methods.set(operation.method, { route, names });
  }

  /** Undefined when no operation has this path. */
  match(
    path: string,
    method: string,
  ): { route: Route; parameters: Record<string, string> } | { allow: string[] } | undefined {
    const segments = segmentsOf(path);
    const values: string[] = [];
    const node = walk(this.#root, segments, 0, values);
    if (!node) return undefined;
    const found = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (!found) return { allow: allowOf(node) };
    const parameters: Record<string, string> = {};
    found.names.forEach((name, index) => {
      parameters[name] = values[index] ?? '';
    });
    return { route: found.route, parameters };
  }
}

function walk<Route>(
  node: Node<Route>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<Route> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.methods.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, index + 1, values);
  if (found || !node.parameter) return found;
  values.push(segment);
  const below = walk(node.parameter, segments, index + 1, values);
  if (!below) values.pop();
  return below;
}

function allowOf(node: Node<unknown>): string[] {
  const methods = [...node.methods.keys()];
  return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter(method => method !== 'GET')] : methods;
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), parameter: undefined, methods: new Map() };
}
