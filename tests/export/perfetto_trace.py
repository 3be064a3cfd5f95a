# SPDX-License-Identifier: GPL-2.0-or-later
"""The few messages of a Perfetto trace that are read here, by their public field numbers.

Names and numbers are facts of Perfetto's trace_packet.proto and those it imports; the decoder is
python3-protobuf's.
"""
from google.protobuf import descriptor_pb2, descriptor_pool

try:
    from google.protobuf.message_factory import GetMessageClass
except ImportError:                    # before protobuf 4
    from google.protobuf.message_factory import MessageFactory

    def GetMessageClass(descriptor):
        return MessageFactory().GetPrototype(descriptor)

# message: {field: (number, type)}; a type in capitals is a message; '*' repeats.
MESSAGES = {
    'Trace': {'packet': (1, 'TracePacket*')},
    'TracePacket': {
        'clock_snapshot': (6, 'ClockSnapshot'), 'timestamp': (8, 'uint64'),
        'trusted_packet_sequence_id': (10, 'uint32'), 'track_event': (11, 'TrackEvent'),
        'interned_data': (12, 'InternedData'), 'sequence_flags': (13, 'uint32'),
        'timestamp_clock_id': (58, 'uint32'), 'trace_packet_defaults': (59, 'TracePacketDefaults'),
        'track_descriptor': (60, 'TrackDescriptor')},
    'TracePacketDefaults': {'timestamp_clock_id': (58, 'uint32')},
    'ClockSnapshot': {'clocks': (1, 'Clock*'), 'primary_trace_clock': (2, 'uint32')},
    'Clock': {'clock_id': (1, 'uint32'), 'timestamp': (2, 'uint64')},
    'TrackDescriptor': {
        'uuid': (1, 'uint64'), 'name': (2, 'string'), 'thread': (4, 'ThreadDescriptor'),
        'counter': (8, 'CounterDescriptor')},
    'ThreadDescriptor': {'pid': (1, 'int32'), 'tid': (2, 'int32'), 'thread_name': (5, 'string')},
    'CounterDescriptor': {'unit': (3, 'uint32')},
    'TrackEvent': {
        'category_iids': (3, 'uint64*'), 'debug_annotations': (4, 'DebugAnnotation*'), 'type': (9, 'uint32'),
        'name_iid': (10, 'uint64'), 'track_uuid': (11, 'uint64'), 'counter_value': (30, 'int64')},
    'DebugAnnotation': {
        'name_iid': (1, 'uint64'), 'uint_value': (3, 'uint64'), 'int_value': (4, 'int64'),
        'string_value': (6, 'string'), 'pointer_value': (7, 'uint64'), 'string_value_iid': (17, 'uint64')},
    'InternedData': {
        'event_categories': (1, 'Interned*'), 'event_names': (2, 'Interned*'),
        'debug_annotation_names': (3, 'Interned*'), 'debug_annotation_string_values': (29, 'Interned*')},
    'Interned': {'iid': (1, 'uint64'), 'name': (2, 'string')},
}


def trace_class():
    proto = descriptor_pb2.FileDescriptorProto(name='trace.proto', package='p', syntax='proto2')
    kinds = descriptor_pb2.FieldDescriptorProto
    for name, fields in MESSAGES.items():
        message = proto.message_type.add(name=name)
        for field, (number, kind) in fields.items():
            entry = message.field.add(name=field, number=number)
            entry.label = kinds.LABEL_REPEATED if kind.endswith('*') else kinds.LABEL_OPTIONAL
            kind = kind.rstrip('*')
            if kind in MESSAGES:
                entry.type, entry.type_name = kinds.TYPE_MESSAGE, '.p.' + kind
            else:
                entry.type = getattr(kinds, 'TYPE_' + kind.upper())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(proto)
    return GetMessageClass(pool.FindMessageTypeByName('p.Trace'))



def events(data):
    """(clocks, tracks by number, [event as a dict]) of a trace's bytes."""
    trace = trace_class()()
    trace.ParseFromString(data)
    tables = {field: {} for field in MESSAGES['InternedData']}
    clocks, tracks, found = None, {}, []
    for packet in trace.packet:
        assert packet.trusted_packet_sequence_id == 1
        if packet.HasField('clock_snapshot'):
            clocks = {c.clock_id: c.timestamp for c in packet.clock_snapshot.clocks}
            assert packet.sequence_flags == 1 and packet.clock_snapshot.primary_trace_clock == 3
            assert packet.trace_packet_defaults.timestamp_clock_id == 3
        if packet.HasField('track_descriptor'):
            assert packet.track_descriptor.uuid not in tracks
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        for field, table in tables.items():
            for entry in getattr(packet.interned_data, field):
                assert entry.iid not in table
                table[entry.iid] = entry.name
        if packet.HasField('track_event'):
            assert packet.sequence_flags == 2
            found.append(read_event(packet, tables))
    return clocks, tracks, found


def read_event(packet, tables):
    event = packet.track_event
    notes = {}
    for note in event.debug_annotations:
        value = next(getattr(note, f) for f in ('uint_value', 'int_value', 'string_value', 'pointer_value',
                                                'string_value_iid') if note.HasField(f))
        if note.HasField('string_value_iid'):
            value = tables['debug_annotation_string_values'][value]
        if note.HasField('pointer_value'):
            value = f'0x{value:016x}'
        notes[tables['debug_annotation_names'][note.name_iid]] = value
    return {'t': packet.timestamp, 'type': event.type, 'track': event.track_uuid, 'notes': notes,
            'name': tables['event_names'][event.name_iid] if event.HasField('name_iid') else None,
            'category': [tables['event_categories'][i] for i in event.category_iids],
            'value': event.counter_value}
