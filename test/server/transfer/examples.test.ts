import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { importFiles, listOf, type Row } from './importing.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const example = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../server/transfer/examples/${name}`, import.meta.url), 'utf8'));
const fieldsOf = async (family: string, { id }: Row) => {
  const { body } = await station.get(`/x/records/${family}/${id}`);
  return (body as { data: { fields: Record<string, unknown> } }).data.fields;
};
const lastOf = (rows: Row[]): Row => rows.at(-1) ?? { id: 0 };

it('Northwind', async () => {
  const files = {
    'suppliers.csv':
      'supplierID,companyName,contactName,contactTitle,address,city,region,postalCode,country,phone,fax,homePage\n' +
      "1,Biscuits, Ltd.,Ada Øre,Owner,29 King's Way,Ely,NULL,M14,UK,(161) 555,NULL,NULL\n",
    'categories.csv': 'categoryID,categoryName,description,picture\n4,Dairy,"Cheese, milk",0x15\n',
    'products.csv':
      'productID,productName,supplierID,categoryID,quantityPerUnit,unitPrice,unitsInStock,unitsOnOrder,reorderLevel,discontinued\n' +
      '11,Queso,1,4,1 kg,21.05,22,30,15,0\n12,Brie,1,4,2 kg,34.00,0,0,0,1\n',
    'customers.csv':
      'customerID,companyName,contactName,contactTitle,address,city,region,postalCode,country,phone,fax\n' +
      'HANAR,Hanari,Mario,Manager,Rua do Paço, 67,Rio,RJ,05454,Brazil,(21) 555,(21) 556\n',
    'orders.csv':
      'orderID,customerID,employeeID,orderDate,requiredDate,shippedDate,shipVia,freight,shipName,shipAddress,shipCity,shipRegion,shipPostalCode,shipCountry\n' +
      '10250,HANAR,4,1996-07-08 00:00:00.000,1996-08-05 00:00:00.000,NULL,2,65.83,Hanari,Rua do Paço, 67,Rio,NULL,05454,Brazil\n',
    'order-details.csv':
      'orderID,productID,unitPrice,quantity,discount\n10250,12,7.70,10,0\n10250,11,42.40,35,0.15\n',
  };
  const job = await importFiles(station, example('northwind.json'), files);
  expect(job).toMatchObject({ state: 'done', created: 7, bad_rows: [], unmapped_columns: {} });
  const [queso, brie] = (await listOf(station, '/parts')).slice(-2);
  const supplier = lastOf(await listOf(station, '/suppliers'));
  expect(supplier).toMatchObject({
    name: 'Biscuits, Ltd.',
    primary_name: 'Ada Øre',
    primary_phone: '(161) 555',
  });
  expect(await fieldsOf('supplier', supplier)).toMatchObject({ notes: "29 King's Way\nM14 Ely\nUK" });
  expect(queso).toMatchObject({
    name: 'Queso',
    identification: 'NW-11',
    supplier_id: supplier.id,
    reorder_point: 15,
  });
  expect(await listOf(station, '/inventory')).toMatchObject([
    { part_id: queso?.id, quantity: 22, value_on_hand: 463.1 },
  ]);
  expect(lastOf(await listOf(station, '/orders'))).toMatchObject({
    order_number: '10250',
    order_date: '1996-07-08',
    due_date: '1996-08-05',
    actual_ship_date: null,
    notes: 'Ship to: Hanari, Rua do Paço, 67, Rio, Brazil\nPostal code: 05454\nFreight: 65.83',
    customer: { street: 'Rua do Paço, 67', province: 'RJ', custom_field_1: 'HANAR' },
    items: [
      { part_id: brie?.id, quantity: 10 },
      { part_id: queso?.id, quantity: 35 },
    ],
  });
  expect(await importFiles(station, example('northwind.json'), files)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 7,
  });
});

it('wine', async () => {
  const names =
    'fixed_acidity,volatile_acidity,citric_acid,residual_sugar,chlorides,free_sulfur_dioxide,total_sulfur_dioxide,density,pH,sulphates,alcohol,quality';
  const content = `${names}\r\n7.4,0.7,0,1.9,0.076,11,34,0.9978,3.51,0.56,9.4,5\r\n7.8,0.88,0,2.6,0.098,25,67,0.9968,3.2,0.68,9.8,5\r\n`;
  const job = await importFiles(station, example('wine.json'), { 'red.csv': content });
  expect(job).toMatchObject({ state: 'done', created: 2, unmapped_columns: {} });
  const [first] = await listOf(station, '/x/lab-results');
  expect(first).toMatchObject({
    testing_id: 'RED-2',
    lab_data: { 'fixed acidity': 7.4, 'citric acid': 0, density: 0.9978, pH: 3.51, alcohol: 9.4 },
  });
  expect(Object.keys(first?.lab_data ?? {})).toHaveLength(11);
});

it('opening stock', async () => {
  const content =
    'Part no.;Description;Lot;Place;Quantity;Unit;Best before;Cost\n' +
    'X-1;Olive oil;A1;Cellar;1.250,5;l;31.12.2099;4,20\n' +
    'X-1;Olive oil;A2;Yard;2;l;31.12.2099;4,20\n' +
    'X-2;Cap;A3;-;500;pcs;n/a;-\n';
  const job = await importFiles(station, example('opening-stock.json'), { 'stock.csv': content });
  expect(job.bad_rows).toEqual([]);
  expect(job).toMatchObject({ state: 'done', created: 7, unmapped_columns: {} });
  const lots = (await listOf(station, '/inventory')).slice(-3);
  expect(
    lots.map(({ inventory_name, quantity, unit_of_measure, value_on_hand }) => [
      inventory_name,
      quantity,
      unit_of_measure,
      value_on_hand,
    ]),
  ).toEqual([
    ['Olive oil A1', 1250.5, 'l', 5252.1],
    ['Olive oil A2', 2, 'l', 8.4],
    ['Cap A3', 500, 'units', null],
  ]);
  expect((await station.get(`/inventory/${lots[0]?.id}`)).body).toMatchObject({
    data: { batch_number: 'A1', location: 'Cellar', nearest_expiry_date: '2099-12-31', is_legacy: true },
  });
});
