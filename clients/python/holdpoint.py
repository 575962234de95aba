"""Client of the interface of Holdpoint: one file, Python 3.9 or later, the standard library alone.

    from holdpoint import Holdpoint
    holdpoint = Holdpoint("http://127.0.0.1:4870", token)
    supplier = holdpoint.call("suppliers.create", body={"name": "Acme"})

Operations are called by their id (`OPERATIONS` at the end has them all). What is lost on the way, 429 and 503 are tried
again; a write keeps its Idempotency-Key, so that it counts once.
"""

import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["Holdpoint", "HoldpointError", "Reply", "OPERATIONS"]

_FIRST_WAIT = 0.25
_LONGEST_WAIT = 5.0
#: The server sends something every 15 s; a stream that says nothing for so long is dead. In seconds.
_SILENCE = 45
_FOREVER = float("inf")


class HoldpointError(Exception):
    """What the server answered, or `unavailable` (status 0) where it did not.

    `code` is for programs, `status` the HTTP status, `errors` the messages by field (422), `request_id` names the request
    in the server's log, `retry_after` is in seconds or None.
    """

    def __init__(self, code, message, status=0, errors=None, request_id=None, retry_after=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.errors = errors or {}
        self.request_id = request_id
        self.retry_after = retry_after


class Reply:
    """A success out of its envelope: `data`, `meta`, `etag` (for `if_match`), `location`, `status`."""

    def __init__(self, status, headers, envelope):
        self.status = status
        self.data = envelope.get("data", envelope)
        self.meta = envelope.get("meta") or {}
        self.etag = headers.get("ETag")
        self.location = headers.get("Location")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args, **kwargs):
        return None


class Holdpoint:
    """A client of one installation. `timeout` and `retry_for` are in seconds; `retry_for=0` tries once."""

    def __init__(self, base_url, token=None, timeout=60, retry_for=60, context=None):
        self._root = base_url.rstrip("/") + "/api/v2"
        self._token = token
        self._timeout = timeout
        self._retry_for = retry_for
        handlers = [_NoRedirect()]
        if context is not None:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)

    def call(self, operation, params=None, query=None, body=None, headers=None, if_match=None,
             idempotency_key=None, timeout=None, retry_for=None):
        """The answer of an operation as a `Reply`. Raises `HoldpointError`."""

        def read(response):
            envelope = _json(response.read())
            if not isinstance(envelope, dict) or envelope.get("status") != "success":
                raise _not_ours(response.status)
            return Reply(response.status, response.headers, envelope)

        return self._send(operation, read, params, query, body, headers, if_match, idempotency_key, timeout, retry_for)

    def download(self, operation, params=None, query=None, body=None, **options):
        """The bytes of a paper or an export."""
        return self._send(operation, lambda response: response.read(), params, query, body, **options)

    def list(self, operation, params=None, query=None):
        """All records of a list, page after page, each once. Where records leave it meanwhile, moved pages are read again."""
        form = {"as": OPERATIONS[operation][3]} if OPERATIONS[operation][3] else {}
        seen = set()
        total, page = 0, 1
        while True:
            asked = {"per_page": 500, **form, **(query or {}), "page": page}
            reply = self.call(operation, params, asked)
            for record in reply.data:
                key = record.get("id") if isinstance(record, dict) else None
                if key is not None and key in seen:
                    continue
                seen.add(key)
                yield record
            per_page = int(reply.meta.get("per_page", asked["per_page"]))
            left = total - int(reply.meta.get("total", 0))
            total = int(reply.meta.get("total", 0))
            if left > 0 and page > 1:
                page = max(1, page - -(-left // per_page))
            elif len(reply.data) < per_page:
                return
            else:
                page += 1

    def changes(self, since=None, families=None, fields=None, as_=None, limit=None, wait=30):
        """Pages of what has changed since a place: `(changes, cursor, is_reset)`. `wait=0` ends when all is told.

        Keep the cursor in the same transaction as what the changes did. `is_reset`: list everything again, then go on.
        """
        chosen = {"families": _joined(families), "fields": _joined(fields), "as": as_, "limit": limit}
        cursor = since
        while True:
            held = wait if cursor is not None and wait else None
            reply = self.call(
                "x.changes.list", query={**chosen, "since": cursor, "wait": held},
                timeout=self._timeout + wait, retry_for=_FOREVER if wait else None,
            )
            following, is_reset = reply.meta["cursor"], bool(reply.meta.get("is_reset"))
            if following != cursor or is_reset:
                yield reply.data, following, is_reset
            cursor = following
            if not wait and not reply.meta.get("is_more"):
                return

    def events(self, since=None, families=None, fields=None):
        """Events as they happen, as `(event, id, data)`; goes on behind the last one when the line breaks, without end."""
        place = since
        query = {"families": _joined(families), "fields": _joined(fields)}
        while True:
            headers = {"Last-Event-ID": place} if place is not None else {}
            response = self._send("x.events", None, None, query, None, headers,
                                  timeout=_SILENCE, retry_for=_FOREVER)
            try:
                for event, id_, data in _events(response):
                    place = id_ if id_ is not None else place
                    yield event, id_, data
            except (OSError, http.client.HTTPException):
                pass  # The line broke: it is opened again behind the last event.
            finally:
                response.close()
            time.sleep(_FIRST_WAIT)

    def _send(self, operation, read, params=None, query=None, body=None, headers=None, if_match=None,
              idempotency_key=None, timeout=None, retry_for=None):
        """Sends until it is answered; `read` takes what is needed of the answer, None leaves it open."""
        method, path, type_, _ = OPERATIONS[operation]
        given = {**(headers or {})}
        if self._token is not None:
            given["Authorization"] = "Bearer " + self._token
        if if_match is not None:
            given["If-Match"] = if_match
        if method != "GET":
            given.setdefault("Idempotency-Key", idempotency_key or str(uuid.uuid4()))
        data = None
        if body is not None:
            given.setdefault("Content-Type", type_ or "application/json")
            data = json.dumps(body).encode() if type_ == "application/json" else body
        url = self._root + _filled(path, params or {}) + _query(query)
        # A file is read by the first try.
        lasts = 0 if hasattr(data, "read") else self._retry_for if retry_for is None else retry_for
        deadline = time.monotonic() + lasts
        wait = _FIRST_WAIT
        while True:
            request = urllib.request.Request(url, data=data, headers=given, method=method)
            try:
                return self._try(request, read, self._timeout if timeout is None else timeout)
            except HoldpointError as error:
                if error.status not in (0, 408, 429, 503):
                    raise
                pause = error.retry_after if error.retry_after is not None else wait * random.uniform(0.5, 1)
                if time.monotonic() + pause >= deadline:
                    raise
            time.sleep(pause)
            wait = min(_LONGEST_WAIT, wait * 2)

    def _try(self, request, read, timeout):
        try:
            response = self._opener.open(request, timeout=timeout)
            if "text/html" in response.headers.get("Content-Type", ""):
                response.close()
                raise _not_ours(response.status)
            if read is None:
                return response
            with response:
                return read(response)
        except urllib.error.HTTPError as answer:
            with answer:
                raise _error_of(answer) from None
        except (OSError, http.client.HTTPException) as cause:
            message = "The server cannot be reached. Check the address, and that it runs."
            raise HoldpointError("unavailable", message) from cause


def _error_of(answer):
    try:
        envelope = _json(answer.read())
    except (OSError, http.client.HTTPException):
        envelope = None
    if not isinstance(envelope, dict) or envelope.get("status") != "error":
        return _not_ours(answer.code)
    return HoldpointError(
        envelope.get("code"), envelope.get("message"), answer.code, envelope.get("errors"),
        envelope.get("request_id"), _retry_after(answer.headers.get("Retry-After")),
    )


def _not_ours(status):
    message = "Another program answered (%d). Check the address, and whether the network asks to sign in." % status
    return HoldpointError("unavailable", message)


def _retry_after(text):
    """Seconds; the header has seconds or a date."""
    if text is None:
        return None
    if text.isdigit():
        return int(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _json(data):
    try:
        return json.loads(data)
    except ValueError:
        return None


def _filled(path, params):
    def value(match):
        text = str(params.get(match.group(1), ""))
        if text in ("", ".", ".."):
            raise ValueError("%s is missing. Give what it names." % match.group(1))
        return urllib.parse.quote(text, safe="")

    return re.sub(r"\{(\w+)\}", value, path)


def _query(query):
    given = {}
    for name, value in (query or {}).items():
        if value is not None:
            given[name] = str(value).lower() if isinstance(value, bool) else value
    return "?" + urllib.parse.urlencode(given) if given else ""


def _joined(names):
    return None if names is None else ",".join(names)


def _events(response):
    fields = {}
    for line in response:
        text = line.decode().rstrip("\r\n")
        if text:
            name, _, value = text.partition(":")
            fields[name] = value[1:] if value.startswith(" ") else value
            continue
        if "data" in fields:
            yield fields.get("event", "message"), fields.get("id"), json.loads(fields["data"])
        fields = {}


# Operations: written by `node build/python-client.ts`.
OPERATIONS = {
    # List suppliers
    "suppliers.list": ("GET", "/suppliers", "", ""),
    # Create a supplier
    "suppliers.create": ("POST", "/suppliers", "application/json", ""),
    # Read a supplier
    "suppliers.read": ("GET", "/suppliers/{id}", "", ""),
    # Update a supplier
    "suppliers.update": ("PUT", "/suppliers/{id}", "application/json", ""),
    # List stock
    "inventory.list": ("GET", "/inventory", "", ""),
    # Read a lot
    "inventory.read": ("GET", "/inventory/{id}", "", ""),
    # List non-conformance reports
    "ncrs.list": ("GET", "/ncrs", "", ""),
    # Create a non-conformance report
    "ncrs.create": ("POST", "/ncrs", "application/json", ""),
    # Read a non-conformance report
    "ncrs.read": ("GET", "/ncrs/{id}", "", ""),
    # Update a non-conformance report
    "ncrs.update": ("PUT", "/ncrs/{id}", "application/json", ""),
    # List orders
    "orders.list": ("GET", "/orders", "", ""),
    # Create an order
    "orders.create": ("POST", "/orders", "application/json", ""),
    # Read an order
    "orders.read": ("GET", "/orders/{id}", "", ""),
    # Update an order
    "orders.update": ("PUT", "/orders/{id}", "application/json", ""),
    # Add an order item to an order
    "orders.items.add": ("POST", "/orders/{order_id}/items", "application/json", ""),
    # Change an order item of an order
    "orders.items.update": ("PUT", "/orders/{order_id}/items/{id}", "application/json", ""),
    # List parts
    "parts.list": ("GET", "/parts", "", ""),
    # Create a part
    "parts.create": ("POST", "/parts", "application/json", ""),
    # Read a part
    "parts.read": ("GET", "/parts/{id}", "", ""),
    # Update a part
    "parts.update": ("PUT", "/parts/{id}", "application/json", ""),
    # List inspections
    "inspections.list": ("GET", "/inspections", "", "array"),
    # Create an inspection
    "inspections.create": ("POST", "/inspections", "application/json", ""),
    # Read an inspection
    "inspections.read": ("GET", "/inspections/{id}", "", ""),
    # Update an inspection
    "inspections.update": ("PUT", "/inspections/{id}", "application/json", ""),
    # Add a sample to an inspection
    "inspections.samples.add": ("POST", "/inspections/{id}/samples", "application/json", ""),
    # Change a sample of an inspection
    "inspections.samples.update": ("PUT", "/inspections/{id}/samples/{sample_id}", "application/json", ""),
    # List corrective action requests
    "cars.list": ("GET", "/cars", "", ""),
    # Create a corrective action request
    "cars.create": ("POST", "/cars", "application/json", ""),
    # Read a corrective action request
    "cars.read": ("GET", "/cars/{id}", "", ""),
    # Update a corrective action request
    "cars.update": ("PUT", "/cars/{id}", "application/json", ""),
    # Create a shipment
    "shipments.create": ("POST", "/shipments", "application/json", ""),
    # Read a shipment
    "shipments.read": ("GET", "/shipments/{id}", "", ""),
    # Update a shipment
    "shipments.update": ("PUT", "/shipments/{id}", "application/json", ""),
    # Add a shipment item to a shipment
    "shipments.items.add": ("POST", "/shipments/{shipment_id}/items", "application/json", ""),
    # Change a shipment item of a shipment
    "shipments.items.update": ("PUT", "/shipments/{shipment_id}/items/{id}", "application/json", ""),
    # List inspection templates
    "specifications.list": ("GET", "/specifications", "", ""),
    # Read an inspection template
    "specifications.read": ("GET", "/specifications/{id}", "", ""),
    # Create a lab result
    "lab-results.create": ("POST", "/lab-results", "application/json", ""),
    # Read a lab result
    "lab-results.read": ("GET", "/lab-results/{id}", "", ""),
    # Update a lab result
    "lab-results.update": ("PUT", "/lab-results/{id}", "application/json", ""),
    # List complaints
    "complaints.list": ("GET", "/complaints", "", ""),
    # Create a complaint
    "complaints.create": ("POST", "/complaints", "application/json", ""),
    # Read a complaint
    "complaints.read": ("GET", "/complaints/{id}", "", ""),
    # Update a complaint
    "complaints.update": ("PUT", "/complaints/{id}", "application/json", ""),
    # List receipts
    "receiving-inspections.list": ("GET", "/receiving-inspections", "", ""),
    # Create a receipt
    "receiving-inspections.create": ("POST", "/receiving-inspections", "application/json", ""),
    # Read a receipt
    "receiving-inspections.read": ("GET", "/receiving-inspections/{id}", "", ""),
    # Update a receipt
    "receiving-inspections.update": ("PUT", "/receiving-inspections/{id}", "application/json", ""),
    # Add a receipt line to a receipt
    "receiving-inspections.items.add": ("POST", "/receiving-inspections/{receiving_inspection_id}/items", "application/json", ""),
    # Change a receipt line of a receipt
    "receiving-inspections.items.update": ("PUT", "/receiving-inspections/{receiving_inspection_id}/items/{id}", "application/json", ""),
    # Read a part type
    "part-types.read": ("GET", "/part-types/{id}", "", ""),
    # List companies
    "companies.list": ("GET", "/companies", "", ""),
    # Whether the service is online, and its version
    "status.read": ("GET", "/status", "", ""),
    # Read a lot with its locations
    "inventory.locations": ("GET", "/inventory/{id}/locations", "", ""),
    # Create many parts, all or none
    "parts.bulk-create": ("POST", "/parts/bulk", "application/json", ""),
    # Write many parts by their ids, all or none
    "parts.bulk-write": ("PUT", "/parts/bulk", "application/json", ""),
    # List shipments by date range
    "shipments.list": ("GET", "/shipments", "", ""),
    # Update a supplier
    "suppliers.update.patch": ("PATCH", "/suppliers/{id}", "application/json", ""),
    # Create a lot
    "x.inventory.create": ("POST", "/x/inventory", "application/json", ""),
    # Update a lot
    "x.inventory.update": ("PUT", "/x/inventory/{id}", "application/json", ""),
    # Update a lot
    "x.inventory.update.patch": ("PATCH", "/x/inventory/{id}", "application/json", ""),
    # Update a non-conformance report
    "ncrs.update.patch": ("PATCH", "/ncrs/{id}", "application/json", ""),
    # Create a non-conformance report
    "x.ncrs.create": ("POST", "/x/ncrs", "application/json", ""),
    # Update an order
    "orders.update.patch": ("PATCH", "/orders/{id}", "application/json", ""),
    # Change an order item of an order
    "orders.items.update.patch": ("PATCH", "/orders/{order_id}/items/{id}", "application/json", ""),
    # Update a part
    "parts.update.patch": ("PATCH", "/parts/{id}", "application/json", ""),
    # Update an inspection
    "inspections.update.patch": ("PATCH", "/inspections/{id}", "application/json", ""),
    # Read an inspection
    "x.inspections.read": ("GET", "/x/inspections/{id}", "", ""),
    # Change a sample of an inspection
    "inspections.samples.update.patch": ("PATCH", "/inspections/{id}/samples/{sample_id}", "application/json", ""),
    # Update a corrective action request
    "cars.update.patch": ("PATCH", "/cars/{id}", "application/json", ""),
    # Update a shipment
    "shipments.update.patch": ("PATCH", "/shipments/{id}", "application/json", ""),
    # List shipments
    "x.shipments.list": ("GET", "/x/shipments", "", ""),
    # Change a shipment item of a shipment
    "shipments.items.update.patch": ("PATCH", "/shipments/{shipment_id}/items/{id}", "application/json", ""),
    # List inspection templates
    "x.specifications.list": ("GET", "/x/specifications", "", ""),
    # Create an inspection template
    "x.specifications.create": ("POST", "/x/specifications", "application/json", ""),
    # Read an inspection template
    "x.specifications.read": ("GET", "/x/specifications/{id}", "", ""),
    # Update an inspection template
    "x.specifications.update": ("PUT", "/x/specifications/{id}", "application/json", ""),
    # Update an inspection template
    "x.specifications.update.patch": ("PATCH", "/x/specifications/{id}", "application/json", ""),
    # Update a lab result
    "lab-results.update.patch": ("PATCH", "/lab-results/{id}", "application/json", ""),
    # List lab results
    "x.lab-results.list": ("GET", "/x/lab-results", "", ""),
    # Update a complaint
    "complaints.update.patch": ("PATCH", "/complaints/{id}", "application/json", ""),
    # Create a complaint
    "x.complaints.create": ("POST", "/x/complaints", "application/json", ""),
    # Update a receipt
    "receiving-inspections.update.patch": ("PATCH", "/receiving-inspections/{id}", "application/json", ""),
    # Change a receipt line of a receipt
    "receiving-inspections.items.update.patch": ("PATCH", "/receiving-inspections/{receiving_inspection_id}/items/{id}", "application/json", ""),
    # List part types
    "x.part-types.list": ("GET", "/x/part-types", "", ""),
    # Create a part type
    "x.part-types.create": ("POST", "/x/part-types", "application/json", ""),
    # Read a part type
    "x.part-types.read": ("GET", "/x/part-types/{id}", "", ""),
    # Update a part type
    "x.part-types.update": ("PUT", "/x/part-types/{id}", "application/json", ""),
    # Update a part type
    "x.part-types.update.patch": ("PATCH", "/x/part-types/{id}", "application/json", ""),
    # List companies
    "x.companies.list": ("GET", "/x/companies", "", ""),
    # Create a company
    "x.companies.create": ("POST", "/x/companies", "application/json", ""),
    # Read a company
    "x.companies.read": ("GET", "/x/companies/{id}", "", ""),
    # Update a company
    "x.companies.update": ("PUT", "/x/companies/{id}", "application/json", ""),
    # Update a company
    "x.companies.update.patch": ("PATCH", "/x/companies/{id}", "application/json", ""),
    # List customers
    "x.customers.list": ("GET", "/x/customers", "", ""),
    # Create a customer
    "x.customers.create": ("POST", "/x/customers", "application/json", ""),
    # Read a customer
    "x.customers.read": ("GET", "/x/customers/{id}", "", ""),
    # Update a customer
    "x.customers.update": ("PUT", "/x/customers/{id}", "application/json", ""),
    # Update a customer
    "x.customers.update.patch": ("PATCH", "/x/customers/{id}", "application/json", ""),
    # List locations
    "x.locations.list": ("GET", "/x/locations", "", ""),
    # Create a location
    "x.locations.create": ("POST", "/x/locations", "application/json", ""),
    # Read a location
    "x.locations.read": ("GET", "/x/locations/{id}", "", ""),
    # Update a location
    "x.locations.update": ("PUT", "/x/locations/{id}", "application/json", ""),
    # Update a location
    "x.locations.update.patch": ("PATCH", "/x/locations/{id}", "application/json", ""),
    # List error codes
    "x.error-codes.list": ("GET", "/x/error-codes", "", ""),
    # Create an error code
    "x.error-codes.create": ("POST", "/x/error-codes", "application/json", ""),
    # Read an error code
    "x.error-codes.read": ("GET", "/x/error-codes/{id}", "", ""),
    # Update an error code
    "x.error-codes.update": ("PUT", "/x/error-codes/{id}", "application/json", ""),
    # Update an error code
    "x.error-codes.update.patch": ("PATCH", "/x/error-codes/{id}", "application/json", ""),
    # List equipment
    "x.equipment.list": ("GET", "/x/equipment", "", ""),
    # Create equipment
    "x.equipment.create": ("POST", "/x/equipment", "application/json", ""),
    # Read equipment
    "x.equipment.read": ("GET", "/x/equipment/{id}", "", ""),
    # Update equipment
    "x.equipment.update": ("PUT", "/x/equipment/{id}", "application/json", ""),
    # Update equipment
    "x.equipment.update.patch": ("PATCH", "/x/equipment/{id}", "application/json", ""),
    # List adjustments
    "x.adjustments.list": ("GET", "/x/adjustments", "", ""),
    # Create an adjustment
    "x.adjustments.create": ("POST", "/x/adjustments", "application/json", ""),
    # Read an adjustment
    "x.adjustments.read": ("GET", "/x/adjustments/{id}", "", ""),
    # List moves
    "x.moves.list": ("GET", "/x/moves", "", ""),
    # Create a move
    "x.moves.create": ("POST", "/x/moves", "application/json", ""),
    # Read a move
    "x.moves.read": ("GET", "/x/moves/{id}", "", ""),
    # List inspection plans
    "x.inspection-plans.list": ("GET", "/x/inspection-plans", "", ""),
    # Create an inspection plan
    "x.inspection-plans.create": ("POST", "/x/inspection-plans", "application/json", ""),
    # Read an inspection plan
    "x.inspection-plans.read": ("GET", "/x/inspection-plans/{id}", "", ""),
    # Update an inspection plan
    "x.inspection-plans.update": ("PUT", "/x/inspection-plans/{id}", "application/json", ""),
    # Update an inspection plan
    "x.inspection-plans.update.patch": ("PATCH", "/x/inspection-plans/{id}", "application/json", ""),
    # List purchase orders
    "x.purchase-orders.list": ("GET", "/x/purchase-orders", "", ""),
    # Create a purchase order
    "x.purchase-orders.create": ("POST", "/x/purchase-orders", "application/json", ""),
    # Read a purchase order
    "x.purchase-orders.read": ("GET", "/x/purchase-orders/{id}", "", ""),
    # Update a purchase order
    "x.purchase-orders.update": ("PUT", "/x/purchase-orders/{id}", "application/json", ""),
    # Update a purchase order
    "x.purchase-orders.update.patch": ("PATCH", "/x/purchase-orders/{id}", "application/json", ""),
    # List counts
    "x.stock-counts.list": ("GET", "/x/stock-counts", "", ""),
    # Create a count
    "x.stock-counts.create": ("POST", "/x/stock-counts", "application/json", ""),
    # Read a count
    "x.stock-counts.read": ("GET", "/x/stock-counts/{id}", "", ""),
    # Update a count
    "x.stock-counts.update": ("PUT", "/x/stock-counts/{id}", "application/json", ""),
    # Update a count
    "x.stock-counts.update.patch": ("PATCH", "/x/stock-counts/{id}", "application/json", ""),
    # List sampling decisions
    "x.sampling-rulings.list": ("GET", "/x/sampling-rulings", "", ""),
    # Create a sampling decision
    "x.sampling-rulings.create": ("POST", "/x/sampling-rulings", "application/json", ""),
    # Read a sampling decision
    "x.sampling-rulings.read": ("GET", "/x/sampling-rulings/{id}", "", ""),
    # List shared views
    "x.shared-views.list": ("GET", "/x/shared-views", "", ""),
    # Create a shared view
    "x.shared-views.create": ("POST", "/x/shared-views", "application/json", ""),
    # Read a shared view
    "x.shared-views.read": ("GET", "/x/shared-views/{id}", "", ""),
    # Update a shared view
    "x.shared-views.update": ("PUT", "/x/shared-views/{id}", "application/json", ""),
    # Update a shared view
    "x.shared-views.update.patch": ("PATCH", "/x/shared-views/{id}", "application/json", ""),
    # List users
    "x.users.list": ("GET", "/x/users", "", ""),
    # Create an user
    "x.users.create": ("POST", "/x/users", "application/json", ""),
    # Read an user
    "x.users.read": ("GET", "/x/users/{id}", "", ""),
    # Update an user
    "x.users.update": ("PUT", "/x/users/{id}", "application/json", ""),
    # Update an user
    "x.users.update.patch": ("PATCH", "/x/users/{id}", "application/json", ""),
    # List corrections
    "x.corrections.list": ("GET", "/x/corrections", "", ""),
    # Read a correction
    "x.corrections.read": ("GET", "/x/corrections/{id}", "", ""),
    # List certificates of analysis
    "x.certificates.list": ("GET", "/x/certificates", "", ""),
    # Read a certificate of analysis
    "x.certificates.read": ("GET", "/x/certificates/{id}", "", ""),
    # This interface as an OpenAPI 3.1 document
    "openapi.read": ("GET", "/openapi.json", "", ""),
    # Who changed what of a record, when and why, newest last unless asked otherwise
    "x.history.list": ("GET", "/x/history/{family}/{id}", "", ""),
    # Lock or unlock a lot by hand
    "x.inventory.lock": ("POST", "/x/inventory/{id}/lock", "application/json", ""),
    # Expiry, locks and places of some lots, for lists; unknown ones are left out
    "x.inventory.states": ("GET", "/x/inventory/states", "", ""),
    # What stands behind a lot: every record that adds, takes, locks, and where it stands
    "x.inventory.facts": ("GET", "/x/inventory/{id}/facts", "", ""),
    # Reports that a receipt, inspection, lab result, lot or complaint suggests, filled in, not yet created; of a report, a corrective action request
    "x.proposals.list": ("GET", "/x/proposals/{family}/{id}", "", ""),
    # List the moves of a lot
    "x.inventory.moves.list": ("GET", "/x/inventory/{id}/moves", "", ""),
    # Move a quantity of a lot to another location
    "x.inventory.moves.create": ("POST", "/x/inventory/{id}/moves", "application/json", ""),
    # Read the site's settings, and this machine's own (`backup_…`)
    "x.settings.read": ("GET", "/x/settings", "", ""),
    # Change the site's settings (in a fleet only at central), or this machine's own (`backup_…`)
    "x.settings.update": ("PUT", "/x/settings", "application/json", ""),
    # List the tokens of the interface
    "x.tokens.list": ("GET", "/x/tokens", "", ""),
    # Create a token; its secret is in this answer only
    "x.tokens.create": ("POST", "/x/tokens", "application/json", ""),
    # Revoke a token; it is refused from the next call on
    "x.tokens.revoke": ("POST", "/x/tokens/{id}/revoke", "application/json", ""),
    # Work out stock, search and counters anew from the records
    "x.rebuild": ("POST", "/x/rebuild", "application/json", ""),
    # What the system noted of itself: sign-ins, exports, prints, grants, backups; by time
    "x.audit.list": ("GET", "/x/audit", "", ""),
    # The events of a period as CSV or as JSON, one object a line; by time
    "x.audit.export": ("GET", "/x/audit/export", "", ""),
    # The events of a period as PDF; of more than a paper holds, narrow the period
    "x.audit.paper": ("GET", "/x/audit/paper", "", ""),
    # What proves the events of a period: history from its first day on, with a signed checkpoint at its end
    "x.audit.package": ("GET", "/x/audit/package", "", ""),
    # Reviews of the audit trail, the newest first, and when the next one is due
    "x.audit.reviews": ("GET", "/x/audit/reviews", "", ""),
    # Say that you have reviewed the audit trail until a moment, and what you found
    "x.audit.review": ("POST", "/x/audit/reviews", "application/json", ""),
    # One event, and its place in history
    "x.audit.read": ("GET", "/x/audit/{id}", "", ""),
    # Back up now: a checked copy, beside all other work, encrypted where there is a recovery key
    "x.backups.create": ("POST", "/x/backups", "application/json", ""),
    # The backups, the age of the last, what is wrong with them, and which key opens them
    "x.backups.list": ("GET", "/x/backups", "", ""),
    # Practise a restore: the newest backup into a scratch folder, read as `verify` does
    "x.backups.practise": ("POST", "/x/backups/practice", "application/json", ""),
    # Make a recovery key. It is in this answer only, and counts once it is confirmed (PUT)
    "x.backup-key.create": ("POST", "/x/backup-key", "application/json", ""),
    # Encrypt backups to a key from now on: the one made before, typed back, or one made elsewhere
    "x.backup-key.update": ("PUT", "/x/backup-key", "application/json", ""),
    # Write plain backups from now on; those that are encrypted stay so
    "x.backup-key.remove": ("POST", "/x/backup-key/remove", "application/json", ""),
    # The webhooks of this machine, and how they stand
    "x.webhooks.list": ("GET", "/x/webhooks", "", ""),
    # Tell a receiver of changes by Standard Webhooks. The secret is in this answer only
    "x.webhooks.create": ("POST", "/x/webhooks", "application/json", ""),
    # Change a webhook, pause it, or let it go on
    "x.webhooks.update": ("PATCH", "/x/webhooks/{id}", "application/json", ""),
    # Give a webhook a new secret; for a time the former one signs as well
    "x.webhooks.rotate": ("POST", "/x/webhooks/{id}/rotate", "application/json", ""),
    # Send a message of the type `test` now, and say what came of it
    "x.webhooks.test": ("POST", "/x/webhooks/{id}/test", "application/json", ""),
    # The last attempts of a webhook, what is tried again, and what was given up
    "x.webhooks.deliveries": ("GET", "/x/webhooks/{id}/deliveries", "", ""),
    # Send again what was given up, behind what waits of the same records
    "x.webhooks.replay": ("POST", "/x/webhooks/{id}/replay", "application/json", ""),
    # Throw away what was given up
    "x.webhooks.discard": ("POST", "/x/webhooks/{id}/discard", "application/json", ""),
    # Remove a webhook, with what waits for it
    "x.webhooks.remove": ("POST", "/x/webhooks/{id}/remove", "application/json", ""),
    # Whether a validation runs and how far it is, and the reports of former ones
    "x.validation.list": ("GET", "/x/validation", "", ""),
    # Validate this installation: each requirement is tried in a scratch folder, beside all other work, in some minutes
    "x.validation.create": ("POST", "/x/validation", "application/json", ""),
    # End the validation that runs; it gives no report
    "x.validation.cancel": ("POST", "/x/validation/cancel", "application/json", ""),
    # A report as JSON, as it was signed: what is answered is the file
    "x.validation.read": ("GET", "/x/validation/{name}", "", ""),
    # A report as PDF, with the digest and the signature of the JSON
    "x.validation.paper": ("GET", "/x/validation/{name}/paper", "", ""),
    # Create many records of a family
    "x.bulk.create": ("POST", "/x/bulk/{family}", "application/json", ""),
    # Change many records of a family
    "x.bulk.update": ("PUT", "/x/bulk/{family}", "application/json", ""),
    # Server-sent events: `cursor` (or `reset`) first; `change` for each changed record, with its family, id, version, user, time, and whether it was created; `change-of-many` for all records that show a changed one; `sync` when the exchange with central, or the clock of the machine, stands otherwise than before
    "x.events": ("GET", "/x/events", "", ""),
    # What has changed since a place, in the order in which it came to stand here
    "x.changes.list": ("GET", "/x/changes", "", ""),
    # What this machine's clock says, and whether it is believed
    "x.clock.read": ("GET", "/x/clock", "", ""),
    # When this machine's clock was changed, from and to what, and what ended it; the newest first
    "x.clock.facts": ("GET", "/x/clock/facts", "", ""),
    # Say that this machine's clock is right: what is written from then on is not marked
    "x.clock.confirm": ("POST", "/x/clock/confirm", "application/json", ""),
    # Whether this process answers requests: 503 says that it does not, and why. For balancers and monitors
    "x.health.read": ("GET", "/x/health", "", ""),
    # Figures of this process for monitors, in Prometheus' text format. Needs a token that reads; one that is bounded to some families will do
    "x.metrics.read": ("GET", "/x/metrics", "", ""),
    # Read this machine's policy, which its administrators set outside of the program, and how enrolling by it stands
    "x.machine-policy.read": ("GET", "/x/machine-policy", "", ""),
    # What the caller has typed and not saved
    "x.drafts.read": ("GET", "/x/drafts/{key}", "", ""),
    # Keep what the caller is typing, over a crash and a power cut
    "x.drafts.update": ("PUT", "/x/drafts/{key}", "application/json", ""),
    # The caller's views of a list, by name
    "x.list-views.list": ("GET", "/x/list-views/{family}", "", ""),
    # Keep a view of a list under a name, or take it away; at most 200 of one person
    "x.list-views.update": ("PUT", "/x/list-views/{family}", "application/json", ""),
    # What was scanned at a receipt and is not in a saved line, oldest first
    "x.open-scans.list": ("GET", "/x/receiving-inspections/{id}/scans", "", ""),
    # Keep what was scanned, or take away what is settled; all of it or nothing
    "x.open-scans.update": ("PUT", "/x/receiving-inspections/{id}/scans", "application/json", ""),
    # Who is signed in, and what the page that signs in must know
    "x.session.read": ("GET", "/x/session", "", ""),
    # Sign in: begins a session, whose cookie comes with the answer
    "x.session.create": ("POST", "/x/session", "application/json", ""),
    # Go on with a session that is locked
    "x.session.unlock": ("POST", "/x/session/unlock", "application/json", ""),
    # Go on by PIN or badge with a session that was begun in this browser by password
    "x.session.resume": ("POST", "/x/session/resume", "application/json", ""),
    # Set the PIN and the badge of the session, with the password
    "x.session.hand": ("POST", "/x/session/hand", "application/json", ""),
    # Lock the session: only its user can go on with it
    "x.session.lock": ("POST", "/x/session/lock", "application/json", ""),
    # Sign out: ends the session
    "x.session.end": ("POST", "/x/session/end", "application/json", ""),
    # Make the first administrator with the one-time link of the terminal, and sign in
    "x.first-administrator.create": ("POST", "/x/first-administrator", "application/json", ""),
    # Make a fresh one-time link for the first administrator; an earlier one is void
    "x.first-administrator.link": ("POST", "/x/first-administrator/link", "application/json", ""),
    # Set a user's password; the user's other sessions end. In a fleet only at central
    "x.users.password": ("POST", "/x/users/{id}/password", "application/json", ""),
    # Revoke a user's password and key, which somebody else may know: sessions end, and the password does nothing but choose another one. In a fleet only at central
    "x.users.revoke": ("POST", "/x/users/{id}/revoke", "application/json", ""),
    # Set the language of a user's screens, wherever the user signs in; at a station of a central one's own, at that station
    "x.users.language": ("POST", "/x/users/{id}/language", "application/json", ""),
    # List the signatures of a record, oldest first
    "x.signatures.list": ("GET", "/x/signatures/{family}/{id}", "", ""),
    # List one's own sessions at this installation
    "x.sessions.list": ("GET", "/x/sessions", "", ""),
    # End one of one's own sessions
    "x.sessions.end": ("POST", "/x/sessions/{session}/end", "application/json", ""),
    # End all of one's own sessions but the one that asks
    "x.sessions.end-others": ("POST", "/x/sessions/end-others", "application/json", ""),
    # List a user's sessions at this installation
    "x.users.sessions.list": ("GET", "/x/users/{id}/sessions", "", ""),
    # End a user's sessions at this installation, all or one
    "x.users.sessions.end": ("POST", "/x/users/{id}/sessions/end", "application/json", ""),
    # Find records of every family by number, name, lot number, barcode, serial number of a piece or id; exact matches first
    "x.find.list": ("GET", "/x/find", "", ""),
    # What a record refers to and what refers to it, items included
    "x.references.read": ("GET", "/x/references/{family}/{id}", "", ""),
    # What needs attention today, kind by kind
    "x.attention.read": ("GET", "/x/attention", "", ""),
    # Purchase orders of which something is still expected, the earliest day first; at most 100
    "x.expected.list": ("GET", "/x/expected", "", ""),
    # What people call the records, for references in lists; unknown ones are left out
    "x.titles.list": ("GET", "/x/titles", "", ""),
    # What a scanned code means here
    "x.scan": ("POST", "/x/scan", "application/json", ""),
    # Learn a code for a part; 409 when another part has it
    "x.parts.barcodes": ("POST", "/x/parts/{id}/barcodes", "application/json", ""),
    # Read a whole record, write-only fields included; with `as_of` as it was then
    "x.records.read": ("GET", "/x/records/{family}/{id}", "", ""),
    # List the records of a family as they were at a moment or place in the log
    "x.records.list": ("GET", "/x/records/{family}", "", ""),
    # Print a record as it was at a moment or place in the log, as PDF that says so
    "x.records.paper": ("GET", "/x/records/{family}/{id}/paper", "", ""),
    # What was in stock at a moment or place in the log, by lot or part
    "x.stock.list": ("GET", "/x/stock", "", ""),
    # Lots that wait for their place: received, or in no place; at most 200, those that came first
    "x.putaway.list": ("GET", "/x/putaway", "", ""),
    # Where a lot stands, and where it could be put away
    "x.inventory.places": ("GET", "/x/inventory/{id}/places", "", ""),
    # What stands in a place, with the handling units in it
    "x.locations.contents": ("GET", "/x/locations/{id}/contents", "", ""),
    # Where a handling unit could go, the best first: places that suit all that is on it
    "x.locations.proposals": ("GET", "/x/locations/{id}/proposals", "", ""),
    # What is to be picked for a shipment, in the order of the way, and what was picked
    "x.shipments.picks": ("GET", "/x/shipments/{id}/picks", "", ""),
    # Correct stock by what a finished count found: an adjustment for each difference
    "x.stock-counts.post": ("POST", "/x/stock-counts/{id}/post", "application/json", ""),
    # Everything around a lot: where it came from, what was found, to whom it went
    "x.trace.inventory": ("GET", "/x/trace/inventory/{id}", "", ""),
    # The same of a part: of its newest 100 lots
    "x.trace.parts": ("GET", "/x/trace/parts/{id}", "", ""),
    # Recall package of a lot: records and history with hashes, for `holdpoint verify`
    "x.recall.inventory": ("GET", "/x/recall/inventory/{id}/package", "", ""),
    # Recall package of a part: records and history with hashes, for `holdpoint verify`
    "x.recall.parts": ("GET", "/x/recall/parts/{id}/package", "", ""),
    # Characteristics and measurements of a part that have numbers
    "x.trends.list": ("GET", "/x/trends", "", ""),
    # One characteristic of a part over its inspections, with its limits
    "x.trends.characteristics": ("GET", "/x/trends/characteristics", "", ""),
    # One measurement over lab results, with its limits
    "x.trends.lab": ("GET", "/x/trends/lab", "", ""),
    # Value of the stock by month and by expiry
    "x.figures.stock-value": ("GET", "/x/figures/stock-value", "", ""),
    # Non-conformance reports by status, source, cause, supplier and age
    "x.figures.ncrs": ("GET", "/x/figures/ncrs", "", ""),
    # Suppliers' accepted share, and their lots that failed
    "x.figures.suppliers": ("GET", "/x/figures/suppliers", "", ""),
    # Reports, requests or complaints by status, with their age: the oldest open ones first
    "x.boards.read": ("GET", "/x/boards/{family}", "", ""),
    # How many items of a lot to inspect, how many may be bad, and why
    "x.sampling.read": ("GET", "/x/sampling", "", ""),
    # How strictly each part from each supplier is sampled now
    "x.sampling.list": ("GET", "/x/sampling/states", "", ""),
    # Approve reduced inspection of a part from a supplier, or withdraw the approval
    "x.sampling.reduced": ("POST", "/x/sampling/reduced", "application/json", ""),
    # Lab results from an instrument's CSV, one a row, all or none unless `skip_bad`; a dry run tells what is in each row
    "x.lab-results.import": ("POST", "/x/lab-results/import", "application/json", ""),
    # Accept a correction that waits for quality: it locks its lots no more
    "x.corrections.accept": ("POST", "/x/corrections/{id}/accept", "application/json", ""),
    # Issue a certificate of analysis of a lot: numbered, kept as issued; refused (409) while the lot is locked or has no passing results
    "x.certificates.issue": ("POST", "/x/inventory/{id}/certificates", "application/json", ""),
    # Print an issued certificate as PDF, with the words that it was issued with
    "x.certificates.paper": ("GET", "/x/certificates/{id}/paper", "", ""),
    # Withdraw an issued certificate, for good
    "x.certificates.withdraw": ("POST", "/x/certificates/{id}/withdraw", "application/json", ""),
    # List imports since the server started
    "x.imports.list": ("GET", "/x/imports", "", ""),
    # Make an import from a mapping
    "x.imports.create": ("POST", "/x/imports", "application/json", ""),
    # Give an import one of its files (CSV or JSON)
    "x.imports.file": ("PUT", "/x/imports/{id}/files/{name}", "application/octet-stream", ""),
    # Run an import; watch it with its read operation
    "x.imports.run": ("POST", "/x/imports/{id}/run", "application/json", ""),
    # Cancel an import; what is not committed yet is not written
    "x.imports.cancel": ("POST", "/x/imports/{id}/cancel", "application/json", ""),
    # How far an import is, and its bad rows
    "x.imports.read": ("GET", "/x/imports/{id}", "", ""),
    # Export a family as CSV or JSON that import gives back unchanged
    "x.exports.read": ("GET", "/x/exports/{family}", "", ""),
    # Whether the sample company can be loaded, and how far that is
    "x.sample-company.read": ("GET", "/x/sample-company", "", ""),
    # Load the sample company into an installation without records; watch it with its read operation
    "x.sample-company.create": ("POST", "/x/sample-company", "application/json", ""),
    # Print a record as PDF: receipt, inspection report, certificate, NCR, CAR, packing list, pick list, recall
    "x.paper.read": ("GET", "/x/paper/{document}/{id}", "", ""),
    # Labels with a code that scanners read, as PDF or in the language of label printers (ZPL II)
    "x.labels.read": ("GET", "/x/labels/{kind}/{id}", "", ""),
    # Labels of many records in one file, in the order of their ids as given
    "x.labels.list": ("GET", "/x/labels/{kind}", "", ""),
    # Make a code with which one station or several enrol; it is in this answer only
    "x.enrolment-codes.create": ("POST", "/x/enrolment-codes", "application/json", ""),
    # List the codes for enrolment and what became of them
    "x.enrolment-codes.list": ("GET", "/x/enrolment-codes", "", ""),
    # Revoke a code for enrolment
    "x.enrolment-codes.revoke": ("POST", "/x/enrolment-codes/{id}/revoke", "application/json", ""),
    # Enrol a station with a code: it gets its name, its key and its block of ids
    "x.enrolment.create": ("POST", "/x/enrolment", "application/json", ""),
    # List central's stations and how they stand
    "x.stations.list": ("GET", "/x/stations", "", ""),
    # Revoke a station's key; it is refused from the next call on, and who signed in there chooses another password
    "x.stations.revoke": ("POST", "/x/stations/{id}/revoke", "application/json", ""),
    # Put a station into a group, or into none: it has the passwords of who is assigned to its group, stretched, and of the former one no more
    "x.stations.group": ("POST", "/x/stations/{id}/group", "application/json", ""),
    # Say which of several machines with the disk of a station goes on as the station
    "x.stations.choose": ("POST", "/x/stations/{id}/choose", "application/json", ""),
    # Enrol this station at a central
    "x.sync.enrol": ("POST", "/x/sync/enrol", "application/json", ""),
    # List who can sign in at a station while central is away: their passwords lie there, stretched
    "x.stations.people": ("GET", "/x/stations/{id}/people", "", ""),
    # Let somebody sign in at a station, or at all of its group, for the first time while central is away: it is given the password, stretched
    "x.stations.assign": ("POST", "/x/stations/{id}/assign", "application/json", ""),
    # Take somebody's password from a station, or from all of its group, until they sign in there with central in reach or are assigned again
    "x.stations.unassign": ("POST", "/x/stations/{id}/unassign", "application/json", ""),
    # The backups of a station that central keeps, and who has fetched them
    "x.station-backups.list": ("GET", "/x/stations/{id}/backups", "", ""),
    # Fetch a backup of a station, encrypted as it came; the trail says who did
    "x.station-backups.read": ("GET", "/x/stations/{id}/backups/{file}", "", ""),
    # Central's certificate, until when it holds, and who has not heard of the next one
    "x.central-certificate.read": ("GET", "/x/central-certificate", "", ""),
    # Renew central's certificate: announce the next one, say when central goes over to it, or go over
    "x.central-certificate.renew": ("POST", "/x/central-certificate/renew", "application/json", ""),
    # Central's certificates, each signed by the key of the one before: for who knows a former one
    "x.central-certificate.chain": ("GET", "/x/central-certificate/chain", "", ""),
    # How the exchange with central stands
    "x.sync.read": ("GET", "/x/sync", "", ""),
    # Compare all records with those of central, at the same place of its log
    "x.sync.comparison": ("GET", "/x/sync/comparison", "", ""),
    # List values that stations wrote without having seen each other's
    "x.conflicts.list": ("GET", "/x/conflicts", "", ""),
    # Decide a conflict: say which value holds, and why
    "x.conflicts.resolve": ("POST", "/x/conflicts/{id}/resolve", "application/json", ""),
    # List commits that central holds until a person decides
    "x.held.list": ("GET", "/x/held", "", ""),
    # Apply a held commit after all, at central
    "x.held.release": ("POST", "/x/held/{commit_id}/release", "application/json", ""),
    # Give a held commit up, at central or at the station that wrote it
    "x.held.withdraw": ("POST", "/x/held/{commit_id}/withdraw", "application/json", ""),
    # When files were carried last, and what waits for the next one
    "x.carry.read": ("GET", "/x/carry", "", ""),
    # Write a file for central, or at central for a station: what it is not known to have
    "x.carry.out": ("POST", "/x/carry/out", "application/json", ""),
    # Read in a file of central, or at central of a station
    "x.carry.in": ("POST", "/x/carry/in", "application/octet-stream", ""),
    # Signed checkpoints: where history stands now, and what central signed before
    "x.checkpoints.read": ("GET", "/x/checkpoints", "", ""),
    # All history in its order, line by line, with a signed checkpoint at its end
    "x.trail.read": ("GET", "/x/trail", "", ""),
    # The key by which this installation signs, and whether it is another one than before
    "x.authority.read": ("GET", "/x/authority", "", ""),
    # Say as an administrator, by your own key, that this installation signs by another key since
    "x.authority.certify": ("POST", "/x/authority/certify", "application/json", ""),
    # Read which id a record has since this installation joined a central
    "x.moved.read": ("GET", "/x/moved/{family}/{old_id}", "", ""),
    # At a station that joined: say by your key of before who you are at central
    "x.former-keys.claim": ("POST", "/x/former-keys/claim", "application/json", ""),
}
