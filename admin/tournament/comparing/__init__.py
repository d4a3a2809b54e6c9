"""Which programs of a tournament are alike: private, a reason for a conversation, never a verdict.

similar_programs   what their sources share, and how often they answer the same
"""
