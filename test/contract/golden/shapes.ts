/**
 * The documented records, typed by hand from part 2 of the interface specification. `maybe` marks what a valid
 * record can lack (null then). The second argument of `fields` holds the additive fields of the decisions.
 */
import {
  bool,
  type Check,
  date,
  decimalText,
  fields,
  flag,
  flagText,
  instant,
  int,
  intText,
  list,
  maybe,
  num,
  object,
  oneOf,
  str,
  ts,
} from '../../support/expect-shape.ts';

const contact = (prefix: string): Record<string, Check> => ({
  [`${prefix}_name`]: maybe(str),
  [`${prefix}_email`]: maybe(str),
  [`${prefix}_phone`]: maybe(str),
  [`${prefix}_position`]: maybe(str),
});

const stamps = { created_at: ts, updated_at: ts };

/** 2.3: companies and part types. */
export const simple = fields({ id: int, name: str, is_active: flag, ...stamps });

/** 2.4 */
export const supplier = fields({
  id: int,
  name: maybe(str),
  ...contact('primary'),
  ...contact('secondary'),
  ...stamps,
});

/** 2.5, list record */
export const inventoryRow = fields({
  id: int,
  company_id: int,
  part_id: int,
  name: maybe(str),
  identification: maybe(str),
  inventory_name: str,
  quantity: num,
  unit_of_measure: maybe(str),
  cost: maybe(num),
  value_on_hand: maybe(num),
  is_finished_product: bool,
  reorder_point: maybe(decimalText),
  is_expiry_soon: flagText,
});

const lot = {
  id: int,
  company_id: int,
  part_id: int,
  batch_number: maybe(str),
  quantity: num,
  is_locked: bool,
  is_legacy: bool,
  location: maybe(str),
  ...stamps,
  value_on_hand: maybe(num),
  location_list: maybe(str),
  cost: maybe(num),
  location_id: maybe(str),
  legacy_record_id: maybe(int),
  related_batch_numbers: list(maybe(str)),
  nearest_expiry_date: maybe(date),
  part: object,
};

/** 2.5, detail record */
export const inventory = fields(lot);

/** 2.5, detail record with locations */
export const inventoryWithLocations = fields({
  ...lot,
  locations: list(fields({ id: int, name: str, is_active: flag })),
});

/** 2.6; `esignature_*` must not be there */
export const ncr = fields(
  {
    ncr_number: str,
    source: oneOf('internal', 'customer', 'supplier'),
    lot_number: maybe(str),
    quantity: maybe(num),
    description: maybe(str),
    immediate_action: maybe(str),
    is_root_cause_determined: maybe(bool),
    has_incomplete_action_items: maybe(bool),
    has_unread_notes: maybe(bool),
    part_id: maybe(int),
  },
  ['id', 'status'],
);

/** 2.7 */
export const customer = fields({
  id: int,
  name: maybe(str),
  ...contact('primary'),
  ...contact('secondary'),
  street: maybe(str),
  city: maybe(str),
  province: maybe(str),
  country: maybe(str),
  postal_code: maybe(str),
  custom_field_1: maybe(str),
  custom_field_2: maybe(str),
  ...stamps,
});

/** 2.8 */
export const order = fields(
  {
    id: int,
    customer_id: maybe(int),
    serial_number: maybe(str),
    po_number: maybe(str),
    order_date: maybe(date),
    order_number: str,
    start_date: maybe(date),
    due_date: maybe(date),
    requested_ship_date: maybe(date),
    actual_ship_date: maybe(date),
    notes: maybe(str),
    ...stamps,
    customer: maybe(customer),
    items: list(
      fields({
        id: int,
        part_id: int,
        specification_id: maybe(int),
        serial_number: str,
        quantity: num,
        ...stamps,
      }),
    ),
  },
  ['is_closed'],
);

/** 2.9 */
export const part = fields(
  {
    id: int,
    name: maybe(str),
    identification: maybe(str),
    company_id: int,
    is_activity: bool,
    is_finished_product: bool,
    supplier_id: maybe(int),
    parent_part_id: maybe(int),
    batch_ids: list(str),
    unit_type: maybe(oneOf('Volume', 'Mass', 'Length')),
    unit_of_measure: maybe(str),
    density: maybe(num),
    density_mass_unit: maybe(str),
    density_volume_unit: maybe(str),
    ...stamps,
  },
  ['part_type_id', 'reorder_point', 'storage_class', 'usual_location_id', 'barcodes'],
);

const inspected = {
  id: intText,
  entity_id: intText,
  entity_type: oneOf('part', 'equipment'),
  drawing_id: maybe(intText),
  sample_size: int,
  is_create_batch_records: maybe(bool),
  passed: maybe(bool),
};

const inspectedAdditive = ['inventory_id', 'is_against_measurements'];

/** 2.10; `samples` must not be there */
export const inspection = fields(inspected, inspectedAdditive);

/** 2.10, in sample responses */
export const inspectionWithSamples = fields(
  {
    ...inspected,
    samples: list(
      fields(
        {
          id: int,
          sample_number: int,
          sample_serial: maybe(str),
          results: list(fields({ id: int, order: int }, ['value', 'passed', 'comment'])),
        },
        ['passed'],
      ),
    ),
  },
  inspectedAdditive,
);

/** 4.8: a page of inspections is an object, the first record's fields and the additive `items`. */
export const inspectionPage = fields({ ...inspected, items: list(inspection) }, inspectedAdditive);

/** 2.11 */
export const car = fields({
  id: int,
  car_number: str,
  initiator_name: str,
  date_opened: date,
  date_closed: maybe(date),
  po_number: maybe(str),
  source: maybe(str),
  description: object,
  type: maybe(str),
  ...stamps,
});

const summary = {
  shipment_number: str,
  requested_ship_date: maybe(date),
  actual_ship_date: maybe(date),
  po_number: maybe(str),
};

/** 2.12, in lists, create and update */
export const shipmentSummary = fields(summary, ['id']);

/** 2.12, single read */
export const shipment = fields(
  {
    ...summary,
    items: list(
      fields({
        id: int,
        shipment_id: int,
        part_id: int,
        serial_number: maybe(str),
        quantity: num,
        is_inventory_calculated: flag,
        shipped_date: maybe(instant),
        created_at: instant,
        updated_at: instant,
        nearest_expiry_date: maybe(instant),
      }),
    ),
  },
  ['id'],
);

/** 2.12, in an item write response */
export const shipmentItem = fields(
  {
    shipment_id: int,
    part_id: int,
    quantity: num,
    serial_number: maybe(str),
    drawing_id: maybe(int),
    order: int,
  },
  ['id'],
);

const template = {
  id: int,
  name: str,
  identification: maybe(str),
  revision: int,
  revision_date: maybe(date),
  notes: maybe(str),
  is_approved: bool,
  approved_by: maybe(int),
  ...stamps,
};

/** 2.13, in lists; `characteristics` must not be there */
export const specificationRow = fields(template);

/** 2.13, single read */
export const specification = fields({
  ...template,
  characteristics: list(
    fields({
      id: int,
      name: str,
      operation: maybe(str),
      dimensions: maybe(str),
      tolerance: maybe(str),
      order: int,
      is_optional: bool,
      is_approval_required: bool,
      ...stamps,
    }),
  ),
});

/** 2.14 */
export const labResult = fields(
  {
    id: int,
    specification_id: maybe(int),
    testing_id: maybe(str),
    testing_date: maybe(date),
    inspector_name: maybe(str),
    batch_number: maybe(str),
    package_id: maybe(str),
    product_name: maybe(str),
    lab_data: maybe(object),
    inspection: maybe(inspection),
    ...stamps,
  },
  ['inspection_id', 'inventory_id', 'lab_data_qualified'],
);

/** 2.15 */
export const complaint = fields(
  {
    id: int,
    complaint_number: str,
    complaint_date: date,
    part_id: maybe(int),
    error_code_id: maybe(int),
    received_by: maybe(str),
    received_via: maybe(str),
    strain_name: maybe(str),
    batch_number: maybe(str),
    store_info: maybe(str),
    comments: maybe(str),
    complainant_full_name: maybe(str),
    complainant_address: maybe(str),
    complainant_phone: maybe(str),
    complainant_email: maybe(str),
    complainant_fax: maybe(str),
    investigator_user_id: maybe(int),
    initiator_user_id: maybe(int),
    closed_user_id: maybe(int),
    investigated_at: maybe(ts),
    initiated_at: ts,
    closed_at: maybe(ts),
    ...stamps,
  },
  ['is_investigated', 'is_closed'],
);

/** 2.16; `is_active_batch`, `cost`, `received_date`, `drawing_id` and `location_id` must not be there */
export const receivingInspectionItem = fields({
  id: int,
  inventory_id: maybe(int),
  part_id: int,
  serial_number: maybe(str),
  quantity_accepted: num,
  quantity_rejected: num,
  unit_of_measure: maybe(str),
  order: int,
  expiry_date: maybe(date),
  ...stamps,
});

/** 2.16; `is_receive_all_items` must not be there */
export const receivingInspection = fields(
  {
    id: int,
    supplier_id: maybe(int),
    serial_number: maybe(str),
    po_number: maybe(str),
    requested_shipment_arrival_date: maybe(date),
    actual_arrival_date: maybe(date),
    is_closed: flag,
    is_quarantined: flag,
    total_order_quantity: maybe(num),
    notes: maybe(str),
    ...stamps,
    items: list(receivingInspectionItem),
  },
  ['is_over_received', 'purchase_order_id'],
);
