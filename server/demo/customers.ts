import type { Step } from './site.ts';
import { contact } from './suppliers.ts';
import { tableRows } from './table-rows.ts';

/** Towns and postal codes are invented too. */
const customers = tableRows(
  ['name', 'person', 'position', 'street', 'city', 'province', 'kind'],
  `
  Juniper & Rye Delicatessen | Clara Enderwick | Owner | 14 Cooper Lane | Ternbrook | Eastmark | Shop
  The Copper Ladle | Hugo Brannagh | Head chef | 3 Mill Steps | Ternbrook | Eastmark | Restaurant
  Saltmarsh Wholefoods | Imogen Dace | Buyer | 88 Quay Street | Port Averel | Eastmark | Shop
  Averel Harbour Market | Leon Castellane | Buyer | Hall 2, Fish Quay | Port Averel | Eastmark | Market
  Nettlecombe Spa & Baths | Yvette Orme | Purchasing | 1 Spring Terrace | Nettlecombe | Highmoor | Spa
  Pestle Lane Apothecary | Rowan Achterberg | Pharmacist | 27 Pestle Lane | Dunmere | Highmoor | Pharmacy
  Dunmere Refill Store | Bea Tollemark | Owner | 5 Weaver Row | Dunmere | Highmoor | Shop
  Fenwick Hollow Farm Shop | Percy Hollow | Manager | Fenwick Hollow | Ashby Tarn | Highmoor | Shop
  Oat & Amber Bakery | Silvia Krane | Head baker | 40 Granary Road | Ashby Tarn | Highmoor | Bakery
  Larchfield Kitchens | Dominic Suddell | Purchasing | 9 Foundry Park | Larchfield | Westfold | Caterer
  Green Gallery Café | Amara Wyle | Owner | 2 Gallery Square | Larchfield | Westfold | Café
  Marrowbone Grocers | Stanley Pruett | Buyer | 61 High Street | Marrowby | Westfold | Shop
  Hearth & Hull Provisions | Katya Orlan | Buyer | 12 Shipwright Way | Port Linnet | Westfold | Wholesale
  Linnet Naturals Online | Ravi Somerled | Operations | Unit 4, Dockgate | Port Linnet | Westfold | Online shop
  Brightwater Health Foods | Noor Ashgrove | Manager | 19 Canal Side | Brightwater | Eastmark | Shop
  The Painted Olive | Matteo Verrin | Chef | 7 Bell Yard | Brightwater | Eastmark | Restaurant
  Kestrel Point Hotel | Fiona Drake-Hollis | Purchasing | Cliff Road | Kestrel Point | Southreach | Hotel
  Southreach Distribution | Gerrit Maasland | Category manager | 200 Ring Road | Thornwick | Southreach | Wholesale
  Thornwick Pharmacy | Beatrix Lunt | Pharmacist | 33 Abbey Street | Thornwick | Southreach | Pharmacy
  Wild Sorrel Cookery School | Emil Sandvig | Director | The Old Dairy | Sorrelford | Southreach | School
  Moss & Meadow Soaps | Theodora Finch-Ray | Owner | 8 Tannery Court | Sorrelford | Southreach | Manufacturer
  Upper Vale Community Shop | Ned Hartigan | Volunteer buyer | Village Green | Upper Vale | Highmoor | Shop
  Candlewick Gifts | Paloma Reyes-Hart | Owner | 16 Arcade | Dunmere | Highmoor | Shop
  Quarry Lake Lodge | Viktor Ness | Kitchen manager | Lake Road | Quarry Lake | Westfold | Hotel
  Bluebell Nursery Kitchens | Joan Mabry | Cook | 11 Orchard Close | Marrowby | Westfold | Caterer
`,
);

export const customerCount = customers.length;

/** Where a contact person of a customer is. */
export function townOf(person: string): string {
  const customer = customers.find(each => each.person === person);
  if (!customer) throw new Error(`The sample company has no customer whose contact is ${person}.`);
  return customer.city;
}

export function customerSteps(day: number): Step[] {
  return customers.map(({ name, person, position, kind, ...place }, index) => ({
    day,
    title: `Customer ${name}`,
    run: async site => {
      const domain = name
        .toLowerCase()
        .replace(/^the /, '')
        .replace(/[^a-z]+/g, '-');
      const address = { ...place, country: 'Ternmark', postal_code: `00${100 + index * 7}` };
      const body = {
        name,
        ...contact('primary', [person, position], domain, index + 20),
        ...address,
        custom_field_1: kind,
      };
      await site.create('customer', body, `customer:${index}`);
    },
  }));
}
