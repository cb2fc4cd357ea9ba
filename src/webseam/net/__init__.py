"""The guarded HTTP kit: address policy, resolver, dial guard, client, bounded decoding; the only room with a client."""
