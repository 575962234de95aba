/** Screens made for one family; every other record has the generic page. */
const screens: Record<string, string> = {
  'receiving-inspection': '/app/receiving',
  inventory: '/app/stock',
  shipment: '/app/shipping',
  inspection: '/app/inspection',
  'lab-result': '/app/lab',
  ncr: '/app/ncr',
  'stock-count': '/app/counts',
};

/** Where a record is shown: the screen of its family, else its generic page. */
export function recordPath(family: string, id: number | string): string {
  const screen = screens[family];
  return screen ? `${screen}/${id}` : `/app/records/${family}/${id}`;
}

/** The generic page of any record: all of its fields, references and history. */
export function genericPath(family: string, id: number | string): string {
  return `/app/records/${family}/${id}`;
}
